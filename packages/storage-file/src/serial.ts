/** Runs what is asked for under one key one after the other, in the order asked; different keys do not wait for each other. */
export interface Serial {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves when nothing is left. */
  idle(): Promise<void>
}

export function createSerial(): Serial {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(key, work) {
      const before = last.get(key) ?? Promise.resolve()
      const result = before.then(work)
      const settled = result.then(
        () => {},
        () => {},
      )
      last.set(key, settled)
      void settled.then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
      return result
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values())
    },
  }
}
