import { type Fact, type FactKind, factKinds } from "./conversation.ts"
import type { Snapshot } from "./request-log.ts"

export interface Score {
  readonly kept: number
  readonly planted: number
}

export type Scores = Readonly<Record<FactKind, Score>>

/** Counts the valid facts that the request's text contains, by kind. */
export function score(facts: readonly Fact[], { text, moment }: Snapshot): Scores {
  const holding = facts.filter(({ from, until = Infinity }) => from <= moment && moment < until)
  const of = (kind: FactKind): Score => {
    const planted = holding.filter((fact) => fact.kind === kind)
    return { kept: planted.filter((fact) => isContained(fact, text)).length, planted: planted.length }
  }
  return Object.fromEntries(factKinds.map((kind) => [kind, of(kind)])) as Scores
}

function isContained({ key, equivalent }: Fact, text: string): boolean {
  return text.includes(key) || (equivalent !== undefined && new RegExp(equivalent).test(text))
}

export function added(scores: readonly Score[]): Score {
  return scores.reduce((a, b) => ({ kept: a.kept + b.kept, planted: a.planted + b.planted }), { kept: 0, planted: 0 })
}

/** Returns a percentage; NaN if there were no facts. */
export function share({ kept, planted }: Score): number {
  return (kept / planted) * 100
}
