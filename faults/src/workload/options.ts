import type { Sabotage } from "../subjects/sabotaged.ts"
import type { PlanSize } from "./plan.ts"

export interface WorkloadOptions {
  readonly url: string
  /** Working directory of the sessions. */
  readonly directory: string
  /** File for the log of attempts. */
  readonly log: string
  readonly size: PlanSize
  /** Number of retries of a failed step. */
  readonly retries: number
  readonly sabotage?: Sabotage
}

export interface RecoveryOptions {
  readonly urls: readonly string[]
  /** Size of the interrupted workload. */
  readonly size: PlanSize
}
