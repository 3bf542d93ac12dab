import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type AskingServer, clientPeople } from "../ask-client.ts"
import { createCallInputs } from "../call-inputs.ts"
import type { People, ServeHost } from "../serve-host.ts"
import { createSessionServer, openedOnce } from "../session-server.ts"
import { createAskers } from "./askers.ts"
import { createClientSessions } from "./client-sessions.ts"
import { PATH, refusalOf } from "./gate.ts"
import { refuse } from "./refuse.ts"

export interface ServeHTTPOptions {
  /** Of the loopback interface; 0: one that is free. */
  readonly port: number
  /** What clients have to send. */
  readonly token: string
  /** Ends the serving. */
  readonly signal: AbortSignal
  /** Called when clients can connect, with the address for them. */
  readonly onListening: (url: string) => void
}

const LOOPBACK = "127.0.0.1"
/** Milliseconds for a request's head, and for all of it; its answer may take as long as it takes. */
const HEAD = 10_000
const WHOLE = 60_000

/**
 * Offers an engine's sessions to the clients of this machine that have the token, over streamable HTTP. Resolves when the signal
 * aborts; runs go on until the engine is closed. A client that is gone has its runs go on, one that says goodbye ends them.
 * Rejects where the port is not to be had.
 */
export async function serveSessionsOverHTTP(host: ServeHost, options: ServeHTTPOptions): Promise<void> {
  const { token, signal, onListening } = options
  if (signal.aborted) return
  const clients = createClientSessions(createServers(host))
  const server = createServer({ headersTimeout: HEAD, requestTimeout: WHOLE }, (request, response) => {
    const { method, url, headers } = request
    const { host: named, origin, authorization } = headers
    const refusal = refusalOf(
      { method, target: url, host: named, origin, authorization },
      { port: portOf(server), token },
    )
    if (refusal) refuse(response, refusal)
    else void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await clients.handle(request, response)
    } catch {
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, reason: "The request could not be worked on." })
    }
  }

  await listen(server, options.port)
  try {
    onListening(`http://${LOOPBACK}:${portOf(server)}${PATH}`)
    if (!signal.aborted) await once(signal, "abort")
  } finally {
    await clients.close()
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  }
}

/** Makes servers for clients over one engine for those who can ask their user, and one for those who cannot. */
function createServers(host: ServeHost) {
  const calls = createCallInputs()
  const askers = createAskers()
  const opened = (people: People) =>
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
        const asked: AskingServer = {
          getClientCapabilities: () => server.server.getClientCapabilities(),
          // With the answer to the prompt: a client need not listen to anything else.
          elicitInput: (form, given) => server.server.elicitInput(form, { ...given, relatedRequestId }),
        }
        return askers.add(sessionID, clientPeople(asked, calls))
      },
    })
    return server
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, LOOPBACK)
    await once(server, "listening")
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === "EADDRINUSE" ? "it is taken" : code === "EACCES" ? "it is not for you to take" : message
    throw new Error(`Port ${port} of ${LOOPBACK} cannot be listened on: ${why}. Name another one, or none.`, {
      cause: error,
    })
  }
}
