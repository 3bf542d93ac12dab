/** A command with the expected reading. */
export interface CorpusEntry {
  readonly command: string
  /** The trick, or the usage, that the command is an example of. */
  readonly why: string
  /** Texts that must be among the reading's commands. */
  readonly commands: readonly string[]
  /** Set if the reading must be unclear. Few everyday commands are. */
  readonly unclear: boolean
  /** Set if bash must not run it, because it starts programs that are not of the test, or waits. */
  readonly isOnlyRead: boolean
}

/** A row of the corpus: the command, why it is there, and the commands to be found or that it is not understood. */
export type Row = readonly [command: string, why: string, found: string | readonly string[] | typeof UNCLEAR]

export const UNCLEAR = Symbol("unclear")

export function entries(rows: readonly Row[], { isOnlyRead = false } = {}): CorpusEntry[] {
  return rows.map(([command, why, found]) => {
    const commands = found === UNCLEAR ? [] : typeof found === "string" ? [found] : found
    return { command, why, commands, unclear: found === UNCLEAR, isOnlyRead }
  })
}
