import { hiddenCharacters } from "./characters.ts"
import { START } from "./directories.ts"
import { MAX_LENGTH } from "./limits.ts"
import { createNotes, toReading } from "./notes.ts"
import type { ShellReading } from "./reading.ts"
import { readScript } from "./walk.ts"

/** Reads a command as bash would, without running anything. Never throws. */
export function readCommand(command: string): ShellReading {
  if (command.length > MAX_LENGTH)
    return toReading({ ...createNotes(), unclear: new Set([`The command is longer than ${MAX_LENGTH} characters.`]) })
  const notes = createNotes()
  for (const sentence of hiddenCharacters(command)) notes.unclear.add(sentence)
  try {
    readScript(command, { directories: START, dialect: "bash", depth: 0 }, notes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    notes.unclear.add("The command is nested too deep.")
  }
  return toReading(notes)
}
