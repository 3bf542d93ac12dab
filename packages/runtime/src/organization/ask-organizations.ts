import type { RuntimeHost } from "../host.ts"

/** Requests in the background of a run. */
export interface Asking {
  /** Aborts the requests that are not answered soon. */
  end(): Promise<void>
}

/** Milliseconds that a finished run waits for answers. Without it, short runs would never receive one. */
const GRACE_MS = 250

/** Starts to ask organizations for changes of their configuration. The run does not wait for the answers. */
export function askOrganizations(
  dataDirectory: string,
  host: Pick<RuntimeHost, "environment">,
  notice: (text: string) => void,
): Asking {
  const stop = new AbortController()
  const refreshed = import("./refresh-organizations.ts")
    .then(({ refreshOrganizations }) => {
      return refreshOrganizations({ dataDirectory, host, now: Date.now, notice, signal: stop.signal })
    })
    .catch((error: unknown) => {
      if (!stop.signal.aborted) notice(`Organizations could not be asked: ${(error as Error).message}`)
    })
  return {
    async end() {
      const timer = setTimeout(() => stop.abort(), GRACE_MS)
      await refreshed
      clearTimeout(timer)
    },
  }
}
