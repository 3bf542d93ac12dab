import type { RuntimeHost } from "../host.ts"

/** Work beside a run. */
export interface Asking {
  /** Breaks off what is not answered soon. */
  end(): Promise<void>
}

/** How long a run that is over waits for an answer, in milliseconds: one that is short would never get any. */
const GRACE = 250

/** Begins to ask organizations whether they configure something else by now; a run does not wait for it. */
export function askOrganizations(
  dataDirectory: string,
  host: Pick<RuntimeHost, "environment">,
  notice: (text: string) => void,
): Asking {
  const stop = new AbortController()
  const asked = import("./refresh-organizations.ts")
    .then(({ refreshOrganizations }) => {
      return refreshOrganizations({ dataDirectory, host, now: Date.now, notice, signal: stop.signal })
    })
    .catch((error: unknown) => {
      if (!stop.signal.aborted) notice(`Organizations could not be asked: ${(error as Error).message}`)
    })
  return {
    async end() {
      const timer = setTimeout(() => stop.abort(), GRACE)
      await asked
      clearTimeout(timer)
    },
  }
}
