import type { ChildProgram } from "../processes/child.ts"
import type { Processes } from "../processes/processes.ts"
import type { Subject } from "../subjects/subject.ts"
import type { Scale } from "./scale.ts"

/** The environment of a sweep. */
export interface Lab {
  readonly processes: Processes
  readonly scale: Scale
  /** In memory if possible, for sweeps that do not test the disk. */
  readonly fastDirectory: string
  /** On a disk. */
  readonly diskDirectory: string
  /** Why strace cannot be used; undefined if it works. */
  readonly straceMissing: string | undefined
  readonly childProgram: ChildProgram
  /** Seed of the random numbers, to repeat a run. */
  readonly seed?: number | undefined
  /** Called at each point, for progress messages. */
  readonly onPoint: () => void
}

export interface SweepResult {
  /** Number of faults that were injected. */
  readonly points: number
  /** A line per point after which something was wrong. */
  readonly bad: readonly string[]
  /** Additional figures for the report. */
  readonly note?: string
}

/** Reason why a sweep was skipped. */
export interface Skipped {
  readonly skipped: string
}

export interface Sweep {
  readonly name: string
  readonly subject: Subject
  run(lab: Lab): Promise<SweepResult | Skipped>
  readonly controls: readonly NegativeControl[]
}

/** A sweep with a guard removed. It must find a failure that matches `complaint`. */
export interface NegativeControl {
  readonly guard: string
  readonly complaint: RegExp
  run(lab: Lab): Promise<SweepResult | Skipped>
}
