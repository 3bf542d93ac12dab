import { removeOldOutputs, type OldOutputsOptions, type RemovedOutputs } from "./old-outputs.ts"

const HOUR = 60 * 60 * 1000

export interface OutputCleaningOptions extends Omit<OldOutputsOptions, "signal"> {
  /** Absolute. */
  readonly directory: string
  /** Milliseconds until the first time; default 5000, when a first request has long left. */
  readonly delay?: number
  /** Milliseconds between the times; default one hour. */
  readonly interval?: number
  /** Told of each time. */
  readonly onCleaned?: (removed: RemovedOutputs) => void
  /** Told when a time failed; the next one comes all the same. */
  readonly onError?: (error: unknown) => void
}

export interface OutputCleaning {
  /** No file is removed once it resolves. A second call does nothing. */
  stop(): Promise<void>
}

/** Removes old outputs a little later and then every hour, while the process lives anyway: it is not kept alive by it. */
export function startOutputCleaning(options: OutputCleaningOptions): OutputCleaning {
  const { directory, delay = 5000, interval = HOUR, onCleaned, onError, ...removal } = options
  const stopped = new AbortController()
  let working: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout

  function plan(milliseconds: number): void {
    timer = setTimeout(() => {
      working = clean().then(() => {
        if (!stopped.signal.aborted) plan(interval)
      })
    }, milliseconds).unref()
  }

  async function clean(): Promise<void> {
    try {
      const removed = await removeOldOutputs(directory, { ...removal, signal: stopped.signal })
      onCleaned?.(removed)
    } catch (error) {
      onError?.(error)
    }
  }

  plan(delay)
  return {
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await working
    },
  }
}
