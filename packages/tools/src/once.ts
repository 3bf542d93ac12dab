/** Finds out what it is asked for, each `what` once, and remembers it: for one judgement, not for longer. */
export type Once = <T>(what: string, find: () => Promise<T>) => Promise<T>

export function createOnce(): Once {
  const found = new Map<string, Promise<unknown>>()
  return <T>(what: string, find: () => Promise<T>) => {
    const known = found.get(what) ?? find()
    found.set(what, known)
    return known as Promise<T>
  }
}

/** Remembers nothing. */
export const always: Once = (_what, find) => find()
