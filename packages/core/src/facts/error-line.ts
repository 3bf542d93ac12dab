import { oneLine } from "./command-text.ts"
import { linesOf } from "./output-lines.ts"

const MAX_LENGTH = 200

/** Most outputs name no error. */
const HINT = /error|exception|panic|fatal/i

/** As programs and runtimes print an error: `TypeError: …`, `java.io.IOException: …`, `error[E0308]: …`, `fatal: …`. */
const ERROR =
  /(?:^|[\s.([])(?:[A-Z]\w{0,60}(?:Error|Exception)|Error|(?:error|fatal|panic)(?:\[\w{1,20}\])?)\b[^:]{0,40}:\s*\S/

/** The first line of an output's last 1 MiB that names an error, shortened; undefined if none does. */
export function errorLine(output: string): string | undefined {
  if (!HINT.test(output)) return undefined
  for (const line of linesOf(output)) {
    if (!HINT.test(line) || !ERROR.test(line)) continue
    const text = oneLine(line)
    return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text
  }
  return undefined
}
