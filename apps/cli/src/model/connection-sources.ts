import type { Config } from "@pawl/config"
import type { Secrets } from "@pawl/secrets"
import type { SignIn } from "../auth/provider-auth.ts"
import type { Layer } from "../settings/layer.ts"

/** What can say how to reach a provider. */
export interface ConnectionSources {
  /** Of `--base-url`. */
  readonly baseURL?: string | undefined
  /** Of `--api-key-env`. */
  readonly keyVariable?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly config: Pick<Config, "provider">
  readonly layers: readonly Layer[]
  /** What somebody has signed in with, and what plugins make of it. */
  readonly signIn?: SignIn | undefined
  /** Is told the key. */
  readonly secrets?: Pick<Secrets, "add"> | undefined
}
