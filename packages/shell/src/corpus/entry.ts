/** A command with what a reading of it has to tell. */
export interface CorpusEntry {
  readonly command: string
  /** What it is an example of. */
  readonly why: string
  /** Texts that have to be among the reading's commands. */
  readonly commands: readonly string[]
  /** The reading has to say that it is not understood. An everyday command should not be. */
  readonly unclear: boolean
  /** Something else than the programs of a test would be run, or it would wait: bash is not asked about it. */
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
