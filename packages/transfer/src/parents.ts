/** Returns true if following the parents from `id` ends in a cycle. */
export function leadsToItself<ID extends string>(id: ID, parents: ReadonlyMap<ID, ID | undefined>): boolean {
  const seen = new Set<ID>()
  for (let at: ID | undefined = id; at !== undefined; at = parents.get(at)) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}
