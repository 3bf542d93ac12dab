/** Memoizes lookups by key for the duration of one check. */
export type Once = <T>(key: string, find: () => T) => T

export function createOnce(): Once {
  const values = new Map<string, unknown>()
  return <T>(key: string, find: () => T) => {
    if (values.has(key)) return values.get(key) as T
    const value = find()
    values.set(key, value)
    return value
  }
}

/** Runs each lookup without memoizing it. */
export const uncached: Once = (_key, find) => find()
