import type { FilePart, ToolState } from "../record/message.ts"
import { isUnsettled } from "../record/tool-calls.ts"
import { digest } from "../base/digest.ts"

/** Patterns of text that differs from run to run although nothing has changed. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  // oxlint-disable-next-line no-control-regex
  [/\u001B\[[\d;?]*[A-Za-z]/g, ""],
  // The complete text of a long output is kept in a separate file for each call.
  [/^\.\.\. ?\d+ (lines|bytes).*truncated.*$/gm, "<truncated>"],
  [/^Full output: .*$/gm, "<kept>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d[:_]\d\d([:_]\d\d([.,_]\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? .{0,16}?\d\d:\d\d:\d\d( [A-Z]{3,4})?( \d{4})?/g, "<time>"],
  [/\b\d\d?:\d\d:\d\d([.,]\d+)?( ?[AP]M)?/g, "<time>"],
  [/\b\d+(\.\d+)? ?(ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g, "<duration>"],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, "<id>"],
  [/\b0x[\da-f]{6,}\b/gi, "<address>"],
  [/\/tmp\/[\w./-]+/g, "<temporary>"],
  [/\b(pid|process)([ :=#]+)\d+/gi, "$1$2<pid>"],
]

/**
 * Returns a name for a call's result. Durations, clock times, process numbers and the order of lines do not count.
 * Undefined while the call runs.
 */
export function outcomeOf(state: ToolState): string | undefined {
  if (isUnsettled(state)) return undefined
  if (state.status === "error") return `error ${digest(steady(state.error))}`
  const attachments = (state.attachments ?? []).map((file) => sample(file))
  return `ok ${digest([steady(state.output), ...attachments].join("\0"))}`
}

function steady(text: string): string {
  const replaced = VOLATILE.reduce((known, [pattern, name]) => known.replaceAll(pattern, name), text)
  // Parallel work, such as tests, reports in any order.
  return replaced.split("\n").toSorted().join("\n")
}

/** Returns enough of an attachment to notice that it differs. An attachment may be megabytes long. */
function sample({ url }: Pick<FilePart, "url">): string {
  return `${url.length} ${url.slice(0, 256)} ${url.slice(-256)}`
}
