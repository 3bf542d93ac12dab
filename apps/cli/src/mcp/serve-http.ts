import { join } from "node:path"
import type { ServeHost } from "@pawl/plugin-mcp/serve"
import { portNumber } from "../arguments/port-number.ts"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { readDataLocations } from "@pawl/runtime/config/settings"

export interface HTTPAddress {
  /** As typed. Undefined or 0: any free port. */
  readonly port: string | undefined
  /** Stops the server. */
  readonly signal: AbortSignal
}

/** Serves sessions over HTTP on the loopback interface until the signal aborts. Prints the address, and a new token once. */
export async function serveHTTP(served: ServeHost, { port, signal }: HTTPAddress, host: Host): Promise<void> {
  const { stderr, secrets } = host
  const number = port === undefined ? 0 : portNumber(port, "pawl mcp serve --help")
  const [{ serveSessionsOverHTTP }, { readToken }] = await Promise.all([
    import("@pawl/plugin-mcp/serve"),
    import("@pawl/loopback-http"),
  ])
  const { dataDirectory } = await readDataLocations(host)
  const path = join(dataDirectory, "mcp-serve-token")
  const { token, isNew } = await readToken(path)
  secrets.add(token, "mcp.serve")
  await serveSessionsOverHTTP(served, {
    ...{ port: number, token, signal },
    onListening(url) {
      const tokenFile = plainLine(path)
      // Not masked, because the user needs it to connect a client.
      const known = isNew
        ? `Token: ${token}\nIt is shown this once, and kept in ${tokenFile}.`
        : `The token is in ${tokenFile}.`
      stderr.write(`Serving sessions at ${url} until Ctrl-C.\n${known}\n`)
    },
  })
}
