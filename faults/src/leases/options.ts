import type { SessionID } from "@pawl/core/storage"
import type { Sabotage } from "../subjects/sabotaged.ts"

export interface WorkerOptions {
  readonly url: string
  /** Unique among all workers, including those that replace others. */
  readonly worker: string
  readonly sessions: readonly SessionID[]
  /** In milliseconds. */
  readonly ttl: number
  /** File to which the tool appends a line per executed call. */
  readonly executions: string
  /** File that gets the revision of each acknowledged commit. */
  readonly acknowledged: string
  readonly sabotage?: Sabotage
}

export interface Acknowledged {
  readonly sessionID: SessionID
  readonly revision: number
  readonly epoch: number
}
