import type { SessionID } from "@pawl/core/storage"
import type { Sabotage } from "../subjects/sabotaged.ts"

export interface TurnOptions {
  readonly url: string
  readonly directory: string
  /** The model's base URL. */
  readonly model: string
  readonly prompt: string
  /** The file for the attempts. */
  readonly log: string
  /** The file to which the tool appends the id of each call that it executes. */
  readonly marks: string
  /** Absent: a new session. */
  readonly sessionID?: SessionID
  readonly sabotage?: Sabotage
}
