import { removed } from "../removed.ts"
import { replaceCuts } from "./cut-patterns.ts"
import type { SecretPattern } from "./secret-pattern.ts"
import { secretPatterns } from "./secret-patterns.ts"

/** Called with the kind of each secret, such as `secret.key`. */
export type Count = (kind: string) => void

/**
 * Replaces everything that looks like a secret by `[removed:<kind>]`, and also what looks like the beginning of one if
 * the text was cut. Takes time proportional to the text's length.
 */
export function maskedPatterns(text: string, count: Count = () => {}): string {
  let result = text
  for (const each of secretPatterns) {
    result = result.replaceAll(each.pattern, (...match: unknown[]) => {
      const groups = match.at(-1)
      return maskedMatch(String(match[0]), typeof groups === "object" ? (groups as Groups) : undefined, each, count)
    })
  }
  return replaceCuts(result, (match, each) => maskedMatch(match[0], match.groups, each, count))
}

interface Groups {
  readonly secret?: string
  readonly quoted?: string
  readonly single?: string
}

function maskedMatch(whole: string, groups: Groups | undefined, { kind, unless }: SecretPattern, count: Count): string {
  const secret = groups?.secret ?? groups?.quoted ?? groups?.single ?? whole
  if (secret.startsWith("[removed:") || unless?.(secret)) return whole
  count(kind)
  const at = whole.lastIndexOf(secret)
  return whole.slice(0, at) + removed(kind) + whole.slice(at + secret.length)
}
