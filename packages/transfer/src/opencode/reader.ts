/** A record of OpenCode that cannot be used, and was left out or converted. */
export interface OpenCodeProblem {
  /** Id of the row, or path of the file. */
  readonly subject: string
  /** For the user: the problem and its consequence. */
  readonly message: string
  /** Set if data is missing; otherwise it was kept in another form. */
  readonly isLeftOut: boolean
}

export type Report = (subject: string, message: string, outcome?: "left out" | "kept") => void

export interface RawMessage {
  readonly info: unknown
  /** In order. */
  readonly parts: readonly unknown[]
}

export interface MessagePosition {
  readonly id: string
  /** Creation time in epoch milliseconds. Messages sort by time, then by id. */
  readonly time: number
}

/** Reads OpenCode's data. Values have unknown shapes. Unreadable records are reported and undefined. */
export interface OpenCodeReader {
  /** Location for messages to the user. */
  readonly location: string
  sessionIDs(): Promise<readonly string[]>
  /** Returns the session in the shape of OpenCode's export, with its id. */
  session(id: string): Promise<unknown>
  messageDirectories(sessionID: string): Promise<readonly MessagePosition[]>
  /** Returns info and parts in the shape of OpenCode's export, with their ids. */
  message(sessionID: string, id: string): Promise<RawMessage | undefined>
  close(): void
}
