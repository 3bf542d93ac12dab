import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { EndingSignal, Host } from "../host.ts"
import { isReaderGone } from "../output/output.ts"

/** Why a run is to end early. */
export type StopReason = EndingSignal | "reader gone" | "output failed"

export interface Stop {
  /** Aborts when the run is to end; its reason is a StopReason. */
  readonly signal: AbortSignal
  /** A Ctrl-C that reached the program as a key and not as a signal. */
  interrupt(): void
  /** Stops listening. */
  dispose(): void
}

/** Runners of scripts pass a Ctrl-C on that the terminal has sent already: so close together they are one. */
const SAME_PRESS = 250

/**
 * Listens for what ends a run early: a signal, or an output that nobody reads any more. A second signal ends the process
 * at once.
 */
export function listenForStop(host: Pick<Host, "onSignal" | "exit" | "stdout">, now: () => number): Stop {
  const controller = new AbortController()
  const { gone } = host.stdout
  let first: number | undefined
  function onSignal(signal: EndingSignal): void {
    if (first === undefined) {
      first = now()
      controller.abort(signal)
    } else if (now() - first >= SAME_PRESS) host.exit(stopCode(signal))
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
