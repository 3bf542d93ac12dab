import type { Config } from "@pawl/config"
import type { Secrets } from "@pawl/secrets"
import type { SignIn } from "@pawl/credentials/provider-auth"
import type { Layer } from "@pawl/config/layer"

/** Sources of a provider's connection. */
export interface ConnectionSources {
  /** Value of `--base-url`. */
  readonly baseURL?: string | undefined
  /** Value of `--api-key-env`. */
  readonly keyVariable?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly config: Pick<Config, "provider">
  readonly layers: readonly Layer[]
  /** Saved sign-in, with the options of plugins. */
  readonly signIn?: SignIn | undefined
  /** Is told the key. */
  readonly secrets?: Pick<Secrets, "add"> | undefined
}
