/** Work that starts only if the run takes long enough, and stops with the run. */
export interface HotReload {
  /** Starts the delay. A second call does nothing. */
  begin(): void
  end(): Promise<void>
}

/** Most runs end earlier and do not load the code. */
const START_DELAY_MS = 1000

/** Creates the delayed work. `start` returns a function that stops it. A failure is reported once, and the run continues. */
export function createHotReload(
  start: () => Promise<() => Promise<void>>,
  onFailure: (error: unknown) => void,
  late = START_DELAY_MS,
): HotReload {
  let timer: NodeJS.Timeout | undefined
  let started: Promise<(() => Promise<void>) | void> | undefined
  return {
    begin() {
      timer ??= setTimeout(() => {
        started = start().catch(onFailure)
      }, late)
      // The timer must not keep the run alive.
      timer.unref()
    },
    async end() {
      clearTimeout(timer)
      const stop = await started
      await stop?.()
    },
  }
}
