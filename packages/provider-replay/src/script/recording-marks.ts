// A recording is a script with additional fields and lines, which a script's reader skips.

type Fields = Readonly<Record<string, unknown>>

/** Keys that connect a reply to its session and request. */
const MARKS: readonly string[] = ["session", "by", "beside", "took", "request"]
/** Keys of lines of a recording that are not replies. */
const ASIDES: readonly string[] = [
  "blocks",
  "definitions",
  "models",
  "prompt",
  "result",
  "permission",
  "end",
  "history",
]

/** Returns true if the line is not a reply of the conversation: another line of a recording, or an answer on the side. */
export function isAside(line: unknown): boolean {
  if (!isFields(line) || "recording" in line) return false
  if (line["beside"] === true || ASIDES.some((key) => key in line)) return true
  return "session" in line && !Object.keys(line).some((key) => key === "reply" || isItem(key))
}

function isItem(key: string): boolean {
  return ["text", "reasoning", "tool", "wait", "stall", "error", "event"].includes(key)
}

/** Returns the reply without the fields of recordings, and its session. */
export function withoutMarks(line: unknown): { readonly reply: unknown; readonly session: string | undefined } {
  if (!isFields(line) || "recording" in line) return { reply: line, session: undefined }
  const { session } = line
  const reply = Object.fromEntries(Object.entries(line).filter(([key]) => !MARKS.includes(key)))
  return { reply, session: typeof session === "string" ? session : undefined }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
