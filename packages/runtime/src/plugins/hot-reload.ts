/** Work that starts only if the run takes long enough, and stops with the run. */
export interface HotReload {
  /** Starts the delay. A second call does nothing. */
  begin(): void
  /** Starts at once, and resolves when the changes made so far are applied. Does nothing after `end`. */
  reload(): Promise<void>
  end(): Promise<void>
}

/** The started work. */
export interface Watching {
  /** Resolves when the changes made so far are applied. Never rejects. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Most runs end earlier and do not load the code. */
const START_DELAY_MS = 1000

/** Creates the delayed work. A failure to start is reported once, and the run continues. */
export function createHotReload(
  start: () => Promise<Watching>,
  onFailure: (error: unknown) => void,
  late = START_DELAY_MS,
): HotReload {
  let timer: NodeJS.Timeout | undefined
  let started: Promise<Watching | void> | undefined
  let isEnded = false
  const startOnce = () => (started ??= start().catch(onFailure))
  return {
    begin() {
      timer ??= setTimeout(() => void startOnce(), late)
      // The timer must not keep the run alive.
      timer.unref()
    },
    async reload() {
      if (isEnded) return
      await (await startOnce())?.reload()
    },
    async end() {
      isEnded = true
      clearTimeout(timer)
      await (await started)?.stop()
    },
  }
}
