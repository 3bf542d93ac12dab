import { isNoSecret } from "./patterns/no-secret.ts"
import { isSecretName } from "./patterns/secret-patterns.ts"

/** The variables of an environment that hold a secret, by their names: `[name, value]`. Paths and plain words are none. */
export function secretVariables(environment: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(environment).filter((entry): entry is [string, string] => {
    const [name, value] = entry
    return value !== undefined && isSecretName(name) && !isNoSecret(value)
  })
}
