import type { Config } from "@pawl/config"
import { isSecretName, type Secrets } from "@pawl/secrets"

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** Tells the registry what a configuration holds of secrets: the keys of providers, and the headers that carry one. */
export function rememberSecrets({ provider = {} }: Pick<Config, "provider">, secrets: Pick<Secrets, "add">): void {
  for (const [id, { options }] of Object.entries(provider)) {
    secrets.add(options?.apiKey, `provider.${id}.options.apiKey`)
    for (const [name, value] of Object.entries(options?.headers ?? {})) {
      if (isSecretName(name) || SECRET_HEADER.test(name)) secrets.add(value, name)
    }
  }
}
