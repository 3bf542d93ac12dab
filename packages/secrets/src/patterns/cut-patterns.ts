import { OMISSION } from "../omission.ts"
import { cutKey } from "./key-patterns.ts"
import { cutNamed } from "./named-patterns.ts"
import { cutRequest } from "./request-patterns.ts"
import type { SecretPattern } from "./secret-pattern.ts"

/** Secrets whose end was cut off, matched in the text before the cut. */
const cutPatterns: readonly SecretPattern[] = [
  cutKey,
  { kind: "secret.jwt", pattern: /\beyJ[\w-]+(?:\.[\w-]*)*$/ },
  { kind: "secret.key", pattern: /(?<![\w.$)\]])s\.(?=[A-Za-z]*\d)[A-Za-z\d]+$/ },
  { kind: "secret.key", pattern: /\b(?:AC|SK)[\da-f]{32}:(?<secret>[A-Za-z\d]+)$/ },
  {
    kind: "secret.webhook",
    pattern: /\b(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/(?<secret>[\w/-]+)$/,
  },
  ...cutRequest,
  ...cutNamed,
]

/** Number of characters before a cut that are searched. A longer part of a key matches the pattern of a whole key. */
const MAX_SEARCHED_LENGTH = 400

/** Replaces what may be the beginning of a secret before each mark of omission. `replace` returns the replacement. */
export function replaceCuts(text: string, replace: (match: RegExpExecArray, pattern: SecretPattern) => string): string {
  const pieces: string[] = []
  let end = 0
  for (const { index, 0: mark } of text.matchAll(OMISSION)) {
    const from = Math.max(end, index - MAX_SEARCHED_LENGTH)
    pieces.push(text.slice(end, from), beforeCut(text.slice(from, index), replace), mark)
    end = index + mark.length
  }
  return pieces.join("") + text.slice(end)
}

function beforeCut(text: string, replace: (match: RegExpExecArray, pattern: SecretPattern) => string): string {
  if (text === "") return text
  for (const pattern of cutPatterns) {
    const match = pattern.pattern.exec(text)
    if (!match) continue
    const changed = replace(match, pattern)
    if (changed !== match[0]) return text.slice(0, match.index) + changed
  }
  return text
}
