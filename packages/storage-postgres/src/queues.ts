export interface Queues {
  /** Runs the work after all that was asked for before under the same name. */
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
