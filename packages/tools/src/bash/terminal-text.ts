/**
 * Converts terminal output to plain text in chunks. Removes escape sequences and control characters; of a line that was
 * overwritten with carriage returns, keeps only the last state.
 */
export interface TerminalText {
  /** Returns the lines that are complete. */
  feed(bytes: Buffer): string
  /** The incomplete last line, as it looks now. */
  readonly pending: string
  /** Returns the rest. */
  end(): string
}

// Longer lines are split to limit memory.
const MAX_PENDING = 64 * 1024

export function createTerminalText(): TerminalText {
  const decoder = new TextDecoder("utf-8")
  let pending = ""

  function take(text: string): string {
    if (!/[\r\n]/.test(text) && pending.length + text.length <= MAX_PENDING) {
      // Does not search the pending text again, because a row of dots may arrive one by one.
      pending += text
      return ""
    }
    const all = pending + text
    const end = all.lastIndexOf("\n") + 1
    const rest = all.slice(end)
    // Only text after the last carriage return is visible. Trailing carriage returns may belong to a line end.
    const overwritten = rest.replace(/\r+$/, "").lastIndexOf("\r") + 1
    pending = rest.slice(overwritten)
    if (pending.length <= MAX_PENDING) return plain(all.slice(0, end))
    const piece = all.slice(0, end) + pending
    pending = ""
    return plain(piece)
  }

  return {
    feed: (bytes) => take(decoder.decode(bytes, { stream: true })),
    get pending() {
      return plain(pending)
    },
    end() {
      const text = take(decoder.decode()) + plain(pending)
      pending = ""
      return text
    },
  }
}

const sequences = [
  "\\[[0-?]*[ -/]*[@-~]", // colours, cursor
  "\\][^\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)", // titles, links
  "[PX^_][^\\u001B]*\\u001B\\\\", // device strings
  "[ -/]*[0-~]", // the rest
]
const ESCAPE_SEQUENCE = new RegExp(`\\u001B(?:${sequences.join("|")})|\\u009B[0-?]*[ -/]*[@-~]`, "g")
const OVERSTRUCK = /[^\n][\b]/g
const CONTROL = /[^\P{Cc}\t\n]/u
const EVERY_CONTROL = /[^\P{Cc}\t\n]/gu

function plain(text: string): string {
  if (!CONTROL.test(text)) return text
  const visible = text.replaceAll(ESCAPE_SEQUENCE, "")
  const lines = visible.includes("\r") ? visible.split("\n").map(lastWritten).join("\n") : visible
  return lines.replaceAll(OVERSTRUCK, "").replaceAll(EVERY_CONTROL, "")
}

function lastWritten(line: string): string {
  const shown = line.replace(/\r+$/, "")
  return shown.slice(shown.lastIndexOf("\r") + 1)
}
