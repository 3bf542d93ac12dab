import { commandPatterns } from "./command-patterns.ts"
import { keyPatterns } from "./key-patterns.ts"
import { namedPatterns } from "./named-patterns.ts"
import { requestPatterns } from "./request-patterns.ts"
import type { SecretPattern } from "./secret-pattern.ts"

/**
 * Each pattern begins with a fixed text or at a word's start and does not backtrack, so the search takes linear time.
 */
export const secretPatterns: readonly SecretPattern[] = [
  ...keyPatterns,
  ...requestPatterns,
  ...commandPatterns,
  ...namedPatterns,
]

const SECRET_NAME =
  /(?:^|[_-])(?:api[_-]?key|secrets?|passwords?|passwd|pass|pwd|passcode|credentials?|(?:access|auth|refresh|id|session)?[_-]?tokens?)$|[_-]key(?:[_-]id)?$|[a-z](?:ApiKey|Secret|Password|Token)$|^apiKey$|passphrase$|(?:access|private|secret)Key(?:Id)?$|^(?:proxy-)?(?:authorization|(?:set-)?cookie)$/i

/** Returns true for names of fields with a secret: `apiKey`, `DB_PASSWORD`, `client_secret`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}
