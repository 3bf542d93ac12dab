import type { ChildProgram } from "../processes/child.ts"
import type { Processes } from "../processes/processes.ts"
import type { Subject } from "../subjects/subject.ts"
import type { Scale } from "./scale.ts"

/** What a sweep needs from outside. */
export interface Lab {
  readonly processes: Processes
  readonly scale: Scale
  /** In memory where the system has such a place: for what does not measure the disk. */
  readonly fastDirectory: string
  /** On a disk. */
  readonly diskDirectory: string
  /** Why strace cannot be used; undefined when it can. */
  readonly straceMissing: string | undefined
  readonly childProgram: ChildProgram
  /** Of what is random, to have it once more. */
  readonly seed?: number | undefined
  /** To be called at each point, for whoever waits. */
  readonly onPoint: () => void
}

export interface SweepResult {
  /** How many times the storage was hit. */
  readonly points: number
  /** One line for each point after which something was wrong. */
  readonly bad: readonly string[]
  /** Figures worth telling. */
  readonly note?: string
}

/** Why a sweep was left out. */
export interface Skipped {
  readonly skipped: string
}

export interface Sweep {
  readonly name: string
  readonly subject: Subject
  run(lab: Lab): Promise<SweepResult | Skipped>
  readonly twins: readonly Twin[]
}

/** The same with a guard removed: must find something, and say it in these words. */
export interface Twin {
  readonly guard: string
  readonly complaint: RegExp
  run(lab: Lab): Promise<SweepResult | Skipped>
}
