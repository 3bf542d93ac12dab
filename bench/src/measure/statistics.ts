/** For an even number of values, the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("There is no median of no values.")
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? 0
  return Number.isInteger(half) ? ((sorted[half - 1] ?? upper) + upper) / 2 : upper
}

/** Returns the smallest value that is not exceeded by that percentage of the values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}

type Subjects = Readonly<{ [name: string]: () => Promise<unknown> }>
type Results<S extends Subjects> = { [Name in keyof S]: Awaited<ReturnType<S[Name]>>[] }

/** Runs the subjects alternately, A B A B, so that other load slows them equally. Returns results in order. */
export async function interleaved<S extends Subjects>(rounds: number, subjects: S): Promise<Results<S>> {
  const results = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as unknown[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(subjects)) results[name]?.push(await run())
  }
  return results as Results<S>
}
