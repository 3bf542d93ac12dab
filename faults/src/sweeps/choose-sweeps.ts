import type { Sweep } from "./sweep.ts"

/**
 * Returns the sweeps whose name contains the word, or all. Throws if there is no match, because running no sweep would
 * look like success.
 */
export function chooseSweeps(sweeps: readonly Sweep[], word: string | undefined): readonly Sweep[] {
  const chosen = sweeps.filter(({ name }) => word === undefined || name.includes(word))
  if (chosen.length > 0) return chosen
  const known = [...new Set(sweeps.map(({ name }) => name))]
  if (known.length === 0) throw new Error("None of the storages that were asked for can be tested here.")
  throw new Error(`No sweep has "${word}" in its name. There are: ${known.join("; ")}.`)
}
