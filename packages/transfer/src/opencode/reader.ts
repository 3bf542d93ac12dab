/** Something of OpenCode's record that cannot be used, and was left out or kept in another form. */
export interface OpenCodeProblem {
  /** The id of the row, or the path of the file. */
  readonly subject: string
  /** For people: what is wrong and what was done. */
  readonly message: string
  /** Whether something is missing because of it; else it was kept in another form. */
  readonly isLeftOut: boolean
}

export type Report = (subject: string, message: string, outcome?: "left out" | "kept") => void

export interface RawMessage {
  readonly info: unknown
  /** In order. */
  readonly parts: readonly unknown[]
}

export interface MessagePlace {
  readonly id: string
  /** When it was created, epoch milliseconds: the order of messages, then that of ids. */
  readonly time: number
}

/**
 * One record of OpenCode, read-only. Every value is as foreign as a file: what cannot be read is reported and
 * undefined.
 */
export interface OpenCodeReader {
  /** Where it is, for people. */
  readonly location: string
  sessionIDs(): Promise<readonly string[]>
  /** In the shape of OpenCode's own export, with its id. */
  session(id: string): Promise<unknown>
  messagePlaces(sessionID: string): Promise<readonly MessagePlace[]>
  /** Info and parts in the shape of OpenCode's own export, with their ids. */
  message(sessionID: string, id: string): Promise<RawMessage | undefined>
  close(): void
}
