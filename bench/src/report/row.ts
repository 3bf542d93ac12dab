export type Unit = "×" | "ms" | "MiB" | "KiB" | "%" | "calls"

/** A line of the table. */
export interface Row {
  readonly benchmark: string
  readonly what: string
  /** The number that is compared with the goal. */
  readonly result: number
  readonly unit: Unit
  readonly goal?: Goal
  /** The measured values behind the result, as text. */
  readonly from: string
  /** All measured values by subject. */
  readonly samples: Readonly<{ [subject: string]: readonly number[] }>
}

export type Goal = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  /** Set if the goal is only shown, because an absolute time depends on the machine. */
  readonly informative?: boolean
}

export type Verdict = "ok" | "missed"

export function verdict({ result, goal }: Row): Verdict | undefined {
  if (!goal) return undefined
  const isMet = "atMost" in goal ? result <= goal.atMost : result >= goal.atLeast
  return isMet ? "ok" : "missed"
}

/** Returns true if the row misses a goal that is not only informative. */
export function isMissed(row: Row): boolean {
  return verdict(row) === "missed" && row.goal?.informative !== true
}
