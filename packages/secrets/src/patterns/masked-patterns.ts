import { removed } from "../removed.ts"
import { secretPatterns } from "./secret-patterns.ts"

/** Told the kind of each secret that was found, such as `secret.key`. */
export type Count = (kind: string) => void

/** The text with `[removed:<kind>]` in the place of everything that looks like a secret. Costs the text's length. */
export function maskedPatterns(text: string, count: Count = () => {}): string {
  let result = text
  for (const { kind, pattern, unless } of secretPatterns) {
    result = result.replaceAll(pattern, (...match: unknown[]) => {
      const whole = String(match[0])
      const groups = match.at(-1) as { secret?: string; quoted?: string; single?: string } | undefined
      const secret =
        (typeof groups === "object" ? (groups.secret ?? groups.quoted ?? groups.single) : undefined) ?? whole
      if (secret.startsWith("[removed:") || unless?.(secret)) return whole
      count(kind)
      const at = whole.lastIndexOf(secret)
      return whole.slice(0, at) + removed(kind) + whole.slice(at + secret.length)
    })
  }
  return result
}
