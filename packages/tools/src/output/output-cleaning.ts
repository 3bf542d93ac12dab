import { removeOldOutputs, type OldOutputsOptions, type RemovedOutputs } from "./old-outputs.ts"

const HOUR_MS = 60 * 60 * 1000

export interface OutputCleaningOptions extends Omit<OldOutputsOptions, "signal"> {
  /** Must be absolute. */
  readonly directory: string
  /** Milliseconds until the first cleaning. Default: 5000, which is after a first model request has left. */
  readonly delay?: number
  /** Milliseconds between cleanings. Default: one hour. */
  readonly interval?: number
  readonly onCleaned?: (removed: RemovedOutputs) => void
  /** Called when a cleaning fails. Later cleanings still run. */
  readonly onError?: (error: unknown) => void
}

export interface OutputCleaning {
  /** Resolves when no more files will be removed. Calling it again does nothing. */
  stop(): Promise<void>
}

/** Removes old outputs once after `delay`, then every `interval`. Does not keep the process alive. */
export function startOutputCleaning(options: OutputCleaningOptions): OutputCleaning {
  const { directory, delay = 5000, interval = HOUR_MS, onCleaned, onError, ...removal } = options
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
