/** Runs tasks with the same key one after another, in call order. Tasks with different keys run concurrently. */
export interface Serial {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Resolves when no task is running or waiting. */
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
