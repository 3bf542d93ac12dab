import type { FinishedOutput } from "./command-output.ts"
import type { CommandEnd } from "./run-command.ts"

export interface ModelTextOptions {
  /** Timeout of the command in milliseconds. */
  readonly timeout: number
  /** Messages about the command's last directory and about files that it left. */
  readonly notes?: readonly string[]
}

/** Formats an ended command for the model. */
export function modelText(
  { text, omitted }: FinishedOutput,
  end: CommandEnd,
  { timeout, notes: others = [] }: ModelTextOptions,
): string {
  const head = omitted ? `...${omitted.lines} lines (${omitted.bytes} bytes) truncated...\n${omitted.hint}\n\n` : ""
  const notes = [endNote(end, timeout), ...others].filter((note) => note !== undefined)
  const tail = notes.length > 0 ? `\n\n<shell_metadata>\n${notes.join("\n")}\n</shell_metadata>` : ""
  return head + (text.trim() === "" ? "(no output)" : text.trimEnd()) + tail
}

function endNote({ exit, signal, stopped }: CommandEnd, timeout: number): string | undefined {
  if (stopped === "timeout") {
    return `The command was ended after ${timeout} ms. If it needs longer, call again with a larger timeout.`
  }
  if (stopped === "abort") return "The command was ended because the user aborted the call."
  if (signal) return `The command was ended by ${signal}.`
  return exit === 0 ? undefined : `Exit code: ${exit}`
}
