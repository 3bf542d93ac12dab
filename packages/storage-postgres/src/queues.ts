export interface Queues {
  /** Runs the work after all earlier work with the same name has ended. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function createQueues(): Queues {
  const last = new Map<string, Promise<unknown>>()

  return {
    async run(name, work) {
      const result = (last.get(name) ?? Promise.resolve()).then(work)
      const settled = Promise.allSettled([result])
      last.set(name, settled)
      try {
        return await result
      } finally {
        if (last.get(name) === settled) last.delete(name)
      }
    },
  }
}
