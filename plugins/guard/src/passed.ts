import type { PluginInput } from "@pawl/plugin"
import type { ShellReader } from "@pawl/shell"

type Engine = PluginInput["engine"]
type SessionID = Parameters<Engine["getSession"]>[0]

export function begins(command: string, words: string): boolean {
  return command === words || command.startsWith(`${words} `)
}

/** Looks back from the newest call to the last change of a file. What is stored tells, so a restart forgets nothing. */
export async function hasPassed(
  engine: Engine,
  sessionID: SessionID,
  check: string,
  reader: ShellReader,
): Promise<boolean> {
  for await (const { parts } of engine.readMessages(sessionID)) {
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || (part.state.status !== "completed" && part.state.status !== "error")) continue
      const { command } = part.state.input as Readonly<Record<string, unknown>>
      if (part.tool === "bash" && typeof command === "string" && isAlone(command, check, reader)) {
        return part.state.status === "completed" && part.state.metadata["exit"] === 0
      }
      if (part.changes && part.changes.length > 0) return false
    }
  }
  return false
}

/** Only where nothing else runs does the exit code speak of the check. */
function isAlone(command: string, check: string, reader: ShellReader): boolean {
  const { commands, unclear } = reader.read(command)
  const own = commands.filter(({ text: words, via }) => via === undefined && !begins(words, "cd"))
  return unclear.length === 0 && own.length === 1 && own.every(({ text: words }) => begins(words, check))
}
