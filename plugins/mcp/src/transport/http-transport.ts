import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { RemoteServer } from "../config/server-config.ts"
import { ANSWER_LOST } from "../requests/caller.ts"
import { createUntimedFetch } from "./untimed-fetch.ts"
import { watchedFetch } from "./watched-fetch.ts"

export interface RemoteDeps {
  /** Returns a fetch that authorizes requests. */
  readonly authorize: (fetch: FetchLike) => FetchLike
  /** Called if the server is gone, so pending requests will get no response. */
  readonly onLost: (reason: string) => void
}

/** Milliseconds that ending the session may take. */
const END_SESSION_MS = 1000
/** Milliseconds in which a received response is delivered. */
const DELIVERY_MS = 50

/** Creates a Streamable HTTP transport. Requests whose response is lost get an error response. */
export function createHTTPTransport({ url, headers }: RemoteServer, { authorize, onLost }: RemoteDeps): Transport {
  const patient = createUntimedFetch()
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
          setTimeout(() => ids.forEach(giveUp), DELIVERY_MS)
        },
      }),
    ),
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
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
    const timer = setTimeout(resolve, END_SESSION_MS)
    await Promise.race([transport.terminateSession().catch(() => undefined), late])
    clearTimeout(timer)
    await close()
    await patient.close()
  })
  return transport
}

/** Creates the older SSE transport. A broken stream loses the server, because its session ends with the stream. */
export function createSSETransport({ url, headers }: RemoteServer, { authorize, onLost }: RemoteDeps): Transport {
  const patient = createUntimedFetch()
  const transport = new SSEClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: authorize(patient.fetch),
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way to listen
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
