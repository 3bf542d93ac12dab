import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { RemoteServer } from "../config/server-config.ts"
import { ANSWER_LOST } from "../requests/caller.ts"
import { createPatientFetch } from "./patient-fetch.ts"
import { watchedFetch } from "./watched-fetch.ts"

export interface RemoteDeps {
  /** Makes requests tell who asks. */
  readonly authorize: (fetch: FetchLike) => FetchLike
  /** The server is not there any more; what is under way will not be answered. */
  readonly onLost: (reason: string) => void
}

/** Milliseconds that saying goodbye may take. */
const FAREWELL = 1000
/** Milliseconds in which an answer that has arrived is delivered. */
const DELIVERY = 50

/** Streamable HTTP. Requests whose answer cannot arrive any more are answered with an error. */
export function createHTTPTransport({ url, headers }: RemoteServer, { authorize, onLost }: RemoteDeps): Transport {
  const patient = createPatientFetch()
  const unanswered = new Set<string | number>()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: authorize(
      watchedFetch(patient.fetch, {
        onLost,
        onStream(ids) {
          for (const id of ids) unanswered.add(id)
        },
        onStreamEnd(ids) {
          setTimeout(() => ids.forEach(giveUp), DELIVERY)
        },
      }),
    ),
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- its one way to listen
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message) && message.id !== undefined) unanswered.delete(message.id)
  }
  function giveUp(id: string | number): void {
    if (!unanswered.has(id)) return
    const error = { code: ANSWER_LOST, message: "The server ended its answer without a result." }
    transport.onmessage?.({ jsonrpc: "2.0", id, error })
  }

  const close = transport.close.bind(transport)
  transport.close = once(async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, FAREWELL)
    await Promise.race([transport.terminateSession().catch(() => undefined), late])
    clearTimeout(timer)
    await close()
    await patient.close()
  })
  return transport
}

/** The older way of HTTP with server-sent events. A stream that breaks is a lost server: its session ends with it. */
export function createSSETransport({ url, headers }: RemoteServer, { authorize, onLost }: RemoteDeps): Transport {
  const patient = createPatientFetch()
  const transport = new SSEClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: authorize(patient.fetch),
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- its one way to listen
  transport.onerror = (error) => {
    if (error instanceof SseError) onLost(error.message)
  }
  const close = transport.close.bind(transport)
  transport.close = once(async () => {
    await close()
    await patient.close()
  })
  return transport
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => (closing ??= close())
}
