/** One writer at a time for each file, in order of arrival, within one process. */
export interface FileLocks {
  run<Result>(path: string, work: () => Promise<Result>): Promise<Result>
}

export function createFileLocks(): FileLocks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(path, work) {
      const turn = (last.get(path) ?? Promise.resolve()).then(work, work)
      last.set(path, turn)
      try {
        return await turn
      } finally {
        if (last.get(path) === turn) last.delete(path)
      }
    },
  }
}
