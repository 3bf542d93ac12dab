import type { LeaseHolder } from "@pawl/core/storage"
import type { Wait } from "../output/screen.ts"
import { plainLine } from "@pawl/plain-text"
import { wholeSeconds } from "@pawl/terminal-text/quantity"

/** Says why a run does not begin yet. */
export function leaseWaitLine(sessionID: string, { process, remaining }: LeaseHolder): string {
  const owner = process ? `process ${process.pid} on ${plainLine(process.host)}` : "another process"
  const seconds = wholeSeconds(Math.ceil(remaining / 1000))
  return `Session ${sessionID} belongs to ${owner}, which this machine cannot check. Waiting for its lease, which ends in ${seconds} unless it is renewed.`
}

/** Counts down to the end of the lease. `earlier`: the same wait, a moment before. */
export function leaseWait({ remaining }: LeaseHolder, now: number, earlier: Wait | undefined): Wait {
  return { label: "waiting for the lease of another process", since: earlier?.since ?? now, until: now + remaining }
}
