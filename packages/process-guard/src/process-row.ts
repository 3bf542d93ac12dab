/** A running process. */
export interface ProcessRow {
  readonly id: number
  readonly parent: number
  readonly group: number
  /** 0 if the system does not report it. */
  readonly session: number
  /** Start time in the system's format. Distinguishes processes that had the same id. */
  readonly start: string
  /** User id. If missing, `userOf` reads it. */
  readonly user?: number
  /** Calls and processes that it belongs to, outermost first. Empty if its environment cannot be read. */
  readonly marks: readonly string[]
}
