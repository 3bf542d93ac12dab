import { join } from "node:path"
import type { ServeHost } from "@pawl/plugin-mcp/serve"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { readPlaces } from "@pawl/runtime/config/settings"

export interface HTTPPlace {
  /** As it was typed. A free port if it is undefined or 0. */
  readonly port: string | undefined
  /** Ends the serving. */
  readonly signal: AbortSignal
}

/** Offers what is served at an address of this machine, until the signal aborts. Prompters are told the address, and a new token once. */
export async function serveHTTP(served: ServeHost, { port, signal }: HTTPPlace, host: Host): Promise<void> {
  const { stderr, secrets } = host
  const number = port === undefined ? 0 : portNumber(port)
  const { readServeToken, serveSessionsOverHTTP } = await import("@pawl/plugin-mcp/serve")
  const { dataDirectory } = await readPlaces(host)
  const path = join(dataDirectory, "mcp-serve-token")
  const { token, isNew } = await readServeToken(path)
  secrets.add(token, "mcp.serve")
  await serveSessionsOverHTTP(served, {
    ...{ port: number, token, signal },
    onListening(url) {
      const place = plainLine(path)
      // Not masked: it is meant for whoever reads this.
      const known = isNew
        ? `Token: ${token}\nIt is shown this once, and kept in ${place}.`
        : `The token is in ${place}.`
      stderr.write(`Serving sessions at ${url} until Ctrl-C.\n${known}\n`)
    },
  })
}

function portNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Infinity
  if (number < 65_536) return number
  throw new UsageError(
    `invalid value "${text}" for --port: expected a whole number from 0 to 65535`,
    "See: pawl mcp serve --help",
  )
}
