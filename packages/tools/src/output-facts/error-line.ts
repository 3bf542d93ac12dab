import { linesOf } from "./output-lines.ts"

const MAX_LENGTH = 200

/** Rules out most outputs quickly: they name no error. */
const HINT = /error|exception|panic|fatal/i

/**
 * Matches errors as programs and runtimes print them: `TypeError: …`, `java.io.IOException: …`, `error[E0308]: …`,
 * `fatal: …`.
 */
const ERROR =
  /(?:^|[\s.([])(?:[A-Z]\w{0,60}(?:Error|Exception)|Error|(?:error|fatal|panic)(?:\[\w{1,20}\])?)\b[^:]{0,40}:\s*\S/

/** Control characters and blanks, which could forge lines. */
const CONTROL = /[\s\p{Cc}\u2028\u2029]+/gu

/** Returns the first line with an error in an output's last 1 MiB, shortened; undefined if no line has one. */
export function errorLine(output: string): string | undefined {
  if (!HINT.test(output)) return undefined
  for (const line of linesOf(output)) {
    if (!HINT.test(line) || !ERROR.test(line)) continue
    const text = line.toWellFormed().replaceAll(CONTROL, " ").trim()
    return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text
  }
  return undefined
}
