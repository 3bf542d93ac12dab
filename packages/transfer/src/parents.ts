/** Whether the way up from here comes back here, or ends in a ring of others. */
export function leadsToItself<ID extends string>(id: ID, parents: ReadonlyMap<ID, ID | undefined>): boolean {
  const seen = new Set<ID>()
  for (let at: ID | undefined = id; at !== undefined; at = parents.get(at)) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}
