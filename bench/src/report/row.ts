export type Unit = "×" | "ms" | "MiB" | "%" | "calls"

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

export type Goal = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  /** Shown, but not decisive: an absolute time says as much of the machine as of pawl. */
  readonly informative?: boolean
}

export type Verdict = "ok" | "missed"

export function verdict({ result, goal }: Row): Verdict | undefined {
  if (!goal) return undefined
  const isMet = "atMost" in goal ? result <= goal.atMost : result >= goal.atLeast
  return isMet ? "ok" : "missed"
}

/** Does the row miss a goal that decides? */
export function isMissed(row: Row): boolean {
  return verdict(row) === "missed" && row.goal?.informative !== true
}
