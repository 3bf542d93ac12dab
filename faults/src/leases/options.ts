import type { SessionID } from "@pawl/core/storage"
import type { Sabotage } from "../subjects/sabotaged.ts"

export interface WorkerOptions {
  readonly url: string
  /** Told apart from all other workers, of a place that is taken over too. */
  readonly worker: string
  readonly sessions: readonly SessionID[]
  /** In milliseconds. */
  readonly ttl: number
  /** The file to which the tool appends a line for each call that it executes. */
  readonly executions: string
  /** The file that gets the revision of each acknowledged commit. */
  readonly acknowledged: string
  readonly sabotage?: Sabotage
}

export interface Acknowledged {
  readonly sessionID: SessionID
  readonly revision: number
  readonly epoch: number
}
