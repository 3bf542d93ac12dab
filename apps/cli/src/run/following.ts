/** Something that begins late in a run, if it is long enough, and ends with it. */
export interface Following {
  /** Returns at once. A second call does nothing. */
  begin(): void
  end(): Promise<void>
}

/** Most runs are over by then, and need not load what it takes. Milliseconds. */
const LATE = 1000

/** `start` gives what ends it again. Where it fails that is told once, and the run goes on without it. */
export function createFollowing(
  start: () => Promise<() => Promise<void>>,
  onFailure: (error: unknown) => void,
  late = LATE,
): Following {
  let timer: NodeJS.Timeout | undefined
  let started: Promise<(() => Promise<void>) | void> | undefined
  return {
    begin() {
      timer ??= setTimeout(() => {
        started = start().catch(onFailure)
      }, late)
      // A run does not wait for it.
      timer.unref()
    },
    async end() {
      clearTimeout(timer)
      const stop = await started
      await stop?.()
    },
  }
}
