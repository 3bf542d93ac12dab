import { Worker } from "node:worker_threads"
import type { EndingSignal } from "../host.ts"
import { watchdogScript } from "./watchdog.ts"

const ENDING_SIGNALS: readonly EndingSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"]
const BEAT_MS = 250
/** A thread is blocked if it does not turn its event loop for one to two of these. */
const CHECK_MS = 1000
const BLOCKED = "pawl:blocked"

type Listener = (signal: EndingSignal) => void

/** Signals that end the process, also while code of others blocks its main thread. */
export interface EndingSignals {
  /** Calls the listener for each signal. The returned function removes it. */
  listen(listener: Listener): () => void
  /**
   * Starts a thread that notices if the main thread is blocked. Signals then end the process at once, as they end a
   * program without listeners: a listener could not run.
   */
  watch(): void
}

/** `onBlocked` is called once for each block, in the middle of the blocking code, with the stack of that code. */
export function endingSignals(onBlocked: (stack: string) => void): EndingSignals {
  const listeners = new Set<Listener>()
  const dispatch: Listener = (signal) => {
    for (const listener of listeners) listener(signal)
  }
  /** Puts back the listeners of others. Set while the main thread is blocked. */
  let restore: (() => void) | undefined
  let isWatching = false

  function attach(): void {
    for (const signal of ENDING_SIGNALS) {
      process.off(signal, dispatch)
      if (listeners.size > 0 && !restore) process.on(signal, dispatch)
    }
  }
  function unblock(): void {
    const restoreOthers = restore
    restore = undefined
    restoreOthers?.()
    attach()
  }

  return {
    listen(listener) {
      listeners.add(listener)
      attach()
      return () => {
        listeners.delete(listener)
        attach()
      }
    },
    watch() {
      if (isWatching) return
      isWatching = true
      const beats = new Int32Array(new SharedArrayBuffer(4))
      setInterval(() => {
        Atomics.add(beats, 0, 1)
        if (restore) unblock()
      }, BEAT_MS).unref()
      // Node knows no types for events of a program's own.
      const events: NodeJS.EventEmitter = process
      events.on(BLOCKED, (beat: number) => {
        // Late: the event loop turned before this was called.
        if (restore || Atomics.load(beats, 0) !== beat) return
        restore = dropListeners(dispatch)
        onBlocked(blockingStack(new Error("blocked").stack ?? ""))
      })
      startWatchdog(beats)
    },
  }
}

/** Without listeners signals do what the system does. The returned function puts back all but `own`. */
function dropListeners(own: Listener): () => void {
  const others = ENDING_SIGNALS.flatMap((signal) => {
    const found = process.rawListeners(signal).filter((listener) => listener !== own)
    process.removeAllListeners(signal)
    return found.map((listener) => ({ signal, listener: listener as NodeJS.SignalsListener }))
  })
  return () => {
    for (const { signal, listener } of others) process.on(signal, listener)
  }
}

function startWatchdog(beats: Int32Array): void {
  try {
    const worker = new Worker(watchdogScript, {
      ...{ eval: true, workerData: { beats, checkMs: CHECK_MS }, env: {}, execArgv: [] },
      resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
    })
    // Node may have no inspector: pawl works without the watchdog.
    worker.on("error", () => undefined).unref()
  } catch {
    // The same: a system may refuse another thread.
  }
}

/** Cuts off the frames above the expression that the inspector evaluated. */
function blockingStack(stack: string): string {
  return stack.slice(stack.search(/\n\s+at <anonymous>:1:\d+/))
}
