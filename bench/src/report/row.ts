export type Unit = "×" | "ms" | "MiB"

/** One line of the table. */
export interface Row {
  readonly benchmark: string
  readonly what: string
  /** The number that the goal speaks of. */
  readonly result: number
  readonly unit: Unit
  readonly goal?: Goal
  /** The measured values behind the result, in words. */
  readonly from: string
  /** Every measured value, by subject. */
  readonly samples: Readonly<{ [subject: string]: readonly number[] }>
}

export interface Goal {
  readonly atMost: number
  /** Shown, but not decisive: an absolute time says as much of the machine as of pawl. */
  readonly informative?: boolean
}

export type Verdict = "ok" | "over"

export function verdict({ result, goal }: Row): Verdict | undefined {
  return goal && (result <= goal.atMost ? "ok" : "over")
}

/** Does the row miss a goal that decides? */
export function isMissed(row: Row): boolean {
  return verdict(row) === "over" && row.goal?.informative !== true
}
