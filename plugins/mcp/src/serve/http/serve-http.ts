import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { listenOn, requestHead } from "@pawl/loopback-http"
import { type AskingServer, clientPrompters } from "../ask-client.ts"
import { createCallInputs } from "../call-inputs.ts"
import type { Prompters, ServeHost } from "../serve-host.ts"
import { createSessionServer, openedOnce } from "../session-server.ts"
import { createSessionPrompters } from "./session-prompters.ts"
import { createClientSessions } from "./client-sessions.ts"
import { PATH, refusalOf } from "./refusal-of.ts"
import { refuse } from "./refuse.ts"

export interface ServeHTTPOptions {
  /** Port of the loopback interface; 0: any free port. */
  readonly port: number
  /** Token that clients must send. */
  readonly token: string
  /** Stops the server. */
  readonly signal: AbortSignal
  /** Called with the address when clients can connect. */
  readonly onListening: (url: string) => void
}

const LOOPBACK = "127.0.0.1"
/** Time limits for a request's headers and for the whole request. The response has no limit. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000

/**
 * Offers an engine's sessions over Streamable HTTP to clients on this machine that have the token. Resolves when the
 * signal aborts; runs continue until the engine is closed. If a client disconnects, its runs continue; if it ends its
 * session, they are aborted. Rejects if the port is in use.
 */
export async function serveSessionsOverHTTP(host: ServeHost, options: ServeHTTPOptions): Promise<void> {
  const { token, signal, onListening } = options
  if (signal.aborted) return
  const clients = createClientSessions(createServers(host))
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const refusal = refusalOf(requestHead(request), { port: portOf(server), token })
      if (refusal) refuse(response, refusal)
      else void answer(request, response)
    },
  )

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await clients.handle(request, response)
    } catch {
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, reason: "The request could not be worked on." })
    }
  }

  await listenOn(server, { port: options.port })
  try {
    onListening(`http://${LOOPBACK}:${portOf(server)}${PATH}`)
    if (!signal.aborted) await once(signal, "abort")
  } finally {
    await clients.close()
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  }
}

/** Creates a server per client. Clients that can ask their user share one engine, all others another one. */
function createServers(host: ServeHost) {
  const calls = createCallInputs()
  const askers = createSessionPrompters()
  const opened = (people: Prompters) =>
    openedOnce(async () => {
      const place = await host.open(people)
      place.engine.subscribe(calls.follow)
      return place
    })
  const [asking, quiet] = [opened(askers.people), opened({})]
  return () => {
    const canAsk = () => server.server.getClientCapabilities()?.elicitation !== undefined
    const server = createSessionServer({
      version: host.version,
      served: async () => (canAsk() ? asking() : quiet()),
      onPrompt(sessionID, relatedRequestId) {
        if (!canAsk()) return () => undefined
        const askingServer: AskingServer = {
          getClientCapabilities: () => server.server.getClientCapabilities(),
          // Sent with the response to the prompt, because a client need not listen to another stream.
          elicitInput: (form, given) => server.server.elicitInput(form, { ...given, relatedRequestId }),
        }
        return askers.add(sessionID, clientPrompters(askingServer, calls))
      },
    })
    return server
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
