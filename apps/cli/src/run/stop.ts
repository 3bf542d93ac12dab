import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { EndingSignal, Host } from "../host.ts"
import { isReaderGone } from "../output/output.ts"

/** The reason to end a run early. */
export type StopReason = EndingSignal | "reader gone" | "output failed"

export interface Stop {
  /** Aborts when the run must end. Its reason is a StopReason. */
  readonly signal: AbortSignal
  /** Handles a Ctrl-C that was read as a key instead of a signal. */
  interrupt(): void
  dispose(): void
}

/** Script runners repeat a Ctrl-C that the terminal has already sent. Two signals within this time count as one. */
const SAME_PRESS_MS = 250

/**
 * Listens for the reasons to end a run early: a signal, or a closed output pipe. A second signal ends the process at once.
 */
export function listenForStop(host: Pick<Host, "onSignal" | "exit" | "stdout">, now: () => number): Stop {
  const controller = new AbortController()
  const { gone } = host.stdout
  let first: number | undefined
  function onSignal(signal: EndingSignal): void {
    if (first === undefined) {
      first = now()
      controller.abort(signal)
    } else if (now() - first >= SAME_PRESS_MS) host.exit(stopCode(signal))
  }
  const offSignal = host.onSignal(onSignal)
  const onGone = () => controller.abort(isReaderGone(gone) ? "reader gone" : "output failed")
  gone.addEventListener("abort", onGone, { once: true })
  return {
    signal: controller.signal,
    interrupt: () => onSignal("SIGINT"),
    dispose() {
      offSignal()
      gone.removeEventListener("abort", onGone)
    },
  }
}

export function stopCode(reason: StopReason): ExitCode {
  if (reason === "output failed") return exitCodes.failed
  return reason === "SIGTERM" || reason === "SIGHUP" ? exitCodes.terminated : exitCodes.interrupted
}
