import type { PluginInput } from "@pawl/plugin"
import type { ShellReader } from "@pawl/shell"

type Engine = PluginInput["engine"]
type SessionID = Parameters<Engine["getSession"]>[0]

export function begins(command: string, words: string): boolean {
  return command === words || command.startsWith(`${words} `)
}

/**
 * Searches from the newest call back to the last change of a file. Reads stored messages, so it also works after a
 * restart.
 */
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

/** A `cd` that must succeed before the following command runs. */
const CHANGES = /^(?:\s*cd\s[^;&|\n]*&&)+/
/** Redirections, which contain characters of list operators. */
const REDIRECTS = /[0-9]*[<>]&[0-9-]+|&>>?/g
/** Operators that may change the exit code, also within quotes. */
const JOINS = /[;&|\n]|^(?:!|if|while|until)\s/

/** The exit code belongs to the check only if nothing else runs. */
function isAlone(command: string, check: string, reader: ShellReader): boolean {
  const own = command.replace(CHANGES, "").trim()
  if (JOINS.test(own.replaceAll(REDIRECTS, ""))) return false
  const { commands, unclear } = reader.read(own)
  const written = commands.filter(({ via }) => via === undefined)
  return unclear.length === 0 && written.length === 1 && written.every(({ text }) => begins(text, check))
}
