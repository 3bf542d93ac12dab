import { hiddenCharacters } from "./characters.ts"
import { START } from "./directories.ts"
import { MAX_LENGTH, MAX_ROUNDS } from "./limits.ts"
import { createNotes, type Notes, toReading } from "./notes.ts"
import type { ShellReading } from "./reading.ts"
import { readScript } from "./walk.ts"

/** Reads a command like bash, without running anything. Never throws. */
export function readCommand(command: string): ShellReading {
  if (command.length > MAX_LENGTH)
    return toReading({ ...createNotes(), unclear: new Set([`The command is longer than ${MAX_LENGTH} characters.`]) })
  let notes = readOnce(command)
  // Later text may run before earlier text, so the command is read again with what is known by now.
  for (let round = 1; round < MAX_ROUNDS && notes.goesBack && notes.isStale; round++) notes = readOnce(command, notes)
  if (notes.goesBack && notes.isStale) notes.unclear.add("The values of variables depend on each other too much.")
  for (const sentence of hiddenCharacters(command)) notes.unclear.add(sentence)
  return toReading(notes)
}

function readOnce(command: string, earlier?: Notes): Notes {
  const notes = createNotes(earlier)
  try {
    readScript(command, { directories: START, dialect: "bash", depth: 0 }, notes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    notes.unclear.add("The command is nested too deep.")
  }
  return notes
}
