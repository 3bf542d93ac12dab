import type { Sabotage } from "../subjects/sabotaged.ts"
import type { PlanSize } from "./plan.ts"

export interface WorkloadOptions {
  readonly url: string
  /** Where the sessions say they work. */
  readonly directory: string
  /** The file for the attempts. */
  readonly log: string
  readonly size: PlanSize
  /** How often a step that failed is tried again. */
  readonly retries: number
  readonly sabotage?: Sabotage
}

export interface RecoveryOptions {
  readonly urls: readonly string[]
  /** Of the workload that was hit. */
  readonly size: PlanSize
}
