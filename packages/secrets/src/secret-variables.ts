import { isNoSecret } from "./patterns/no-secret.ts"
import { isSecretName } from "./patterns/secret-patterns.ts"

/**
 * Returns `[name, value]` of environment variables that contain a secret according to their name. Ignores paths and
 * plain words.
 */
export function secretVariables(environment: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(environment).filter((entry): entry is [string, string] => {
    const [name, value] = entry
    return value !== undefined && isSecretName(name) && !isNoSecret(value)
  })
}
