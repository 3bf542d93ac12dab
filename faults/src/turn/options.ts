import type { SessionID } from "@pawl/core/storage"
import type { Sabotage } from "../subjects/sabotaged.ts"

export interface TurnOptions {
  readonly url: string
  readonly directory: string
  /** Base URL of the model. */
  readonly model: string
  readonly prompt: string
  /** File for the log of attempts. */
  readonly log: string
  /** File to which the tool appends the id of each executed call. */
  readonly marks: string
  /** Default: a new session. */
  readonly sessionID?: SessionID
  readonly sabotage?: Sabotage
}
