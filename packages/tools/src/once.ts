/** Finds out what it is asked for, each `what` once, and remembers it: for one judgement, not for longer. */
export type Once = <T>(what: string, find: () => T) => T

export function createOnce(): Once {
  const found = new Map<string, unknown>()
  return <T>(what: string, find: () => T) => {
    if (found.has(what)) return found.get(what) as T
    const known = find()
    found.set(what, known)
    return known
  }
}

/** Remembers nothing. */
export const always: Once = (_what, find) => find()
