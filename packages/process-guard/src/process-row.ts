/** A live process of this machine. */
export interface ProcessRow {
  readonly id: number
  readonly parent: number
  readonly group: number
  /** 0 if the system does not report it. */
  readonly session: number
  /** When it started, in the system's own terms: tells it from a later process with the same id. */
  readonly start: string
  /** The user id. Absent: `userOf` reads it. */
  readonly user?: number
  /** The calls and processes that it belongs to, the outermost first. Empty if its environment cannot be read. */
  readonly marks: readonly string[]
}
