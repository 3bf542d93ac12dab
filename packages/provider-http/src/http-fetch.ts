import type { ClientRequest, IncomingMessage } from "node:http"
import { type Outgoing, redirected } from "./http-redirect.ts"
import { toResponse } from "./http-response.ts"
import { createTransport, type Transport, type TransportOptions } from "./http-transport.ts"

type Fetch = typeof globalThis.fetch

const MAX_REDIRECTS = 5

/** Additional options of this package's fetch. */
export interface HTTPRequestInit extends RequestInit {
  /** Called when the complete request has been passed to the system. */
  readonly onSent?: (() => void) | undefined
}

/**
 * A fetch over node:http for the requests of providers: text bodies, headers as a record. Loading the global fetch costs
 * three times as much, most of the time of a short command. Connections are kept for the next request, but do not keep
 * the process alive. If the server has closed one, the request is sent again, once.
 * Fails like the global one: TypeError "fetch failed" or "terminated" with its cause, or the signal's reason. A redirect
 * that would send the prompt or a key to another server is a ProviderError.
 */
export function createHTTPFetch(options: TransportOptions = {}): Fetch {
  return createHTTPClient(options).fetch
}

export interface HTTPClient {
  readonly fetch: Fetch
  /** Opens a connection to the server of this URL for a POST that follows soon. Does not throw. */
  readonly connect: (url: string) => void
}

/** Returns the fetch, and `connect` to open a connection before the request is known. */
export function createHTTPClient(options: TransportOptions = {}): HTTPClient {
  const transport = createTransport(options)
  const fetch: Fetch = async (input, init: HTTPRequestInit = {}) => {
    const request = {
      url: new URL(typeof input === "object" && "url" in input ? input.url : input),
      method: init.method?.toUpperCase() ?? "GET",
      headers: toRecord(init.headers),
      body: (init.body ?? undefined) as string | undefined,
    }
    return send(transport, request, { signal: init.signal ?? undefined, onSent: init.onSent })
  }
  return {
    fetch,
    connect(url) {
      if (URL.canParse(url)) transport.openAhead(new URL(url))
    },
  }
}

interface Exchange {
  readonly signal: AbortSignal | undefined
  readonly onSent: (() => void) | undefined
}

async function send(transport: Transport, first: Outgoing, { signal, onSent }: Exchange): Promise<Response> {
  let request = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    signal?.throwIfAborted()
    const message = await exchange(transport, request, { signal, onSent })
    const next = nextRequest(request, message)
    if (next === undefined) return toResponse(message, request.url, signal)
    request = next
  }
  throw failed(new Error("too many redirects"))
}

function nextRequest(request: Outgoing, message: IncomingMessage): Outgoing | undefined {
  try {
    const next = redirected(request, message.statusCode ?? 0, message.headers.location)
    // The body of a redirect is not needed, and may be endless.
    if (next !== undefined) message.destroy()
    return next
  } catch (error) {
    message.destroy()
    throw error instanceof TypeError ? failed(error) : error
  }
}

async function exchange(transport: Transport, { url, method, headers, body }: Outgoing, { signal, onSent }: Exchange) {
  // A string would be copied once more, behind the headers.
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = bytes === undefined ? {} : { "content-length": String(bytes.length) }
  const options = { method, headers: { "accept-encoding": "identity", ...headers, ...length } }
  const request = transport.open(url, options)
  if (onSent) request.once("finish", onSent)
  try {
    return await answer(request, bytes, signal)
  } catch (error) {
    if (signal?.aborted || !wasClosed(request, error)) throw error
    transport.closeIdle()
    return answer(transport.open(url, options), bytes, signal)
  }
}

/** Returns true if the server closed a kept connection, as it may at any time, and so never received the request. */
function wasClosed({ reusedSocket }: ClientRequest, error: unknown): boolean {
  const cause = error instanceof TypeError ? (error.cause as NodeJS.ErrnoException) : undefined
  return reusedSocket && (cause?.code === "ECONNRESET" || cause?.code === "EPIPE")
}

function answer(request: ClientRequest, body: Uint8Array | undefined, signal?: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const onAbort = () => request.destroy(signal?.reason as Error)
    signal?.addEventListener("abort", onAbort, { once: true })
    request.once("close", () => {
      signal?.removeEventListener("abort", onAbort)
      // Node reports nothing else for an upgrade to another protocol. After an answer or an error this has no effect.
      reject(failed(Object.assign(new Error("closed without an answer"), { code: "ECONNABORTED" })))
    })
    request.once("response", resolve)
    request.on("error", (cause) => reject(signal?.aborted ? signal.reason : failed(cause)))
    request.end(body)
  })
}

function failed(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause })
}

function toRecord(headers: RequestInit["headers"]): Record<string, string> {
  if (headers === undefined || headers === null) return {}
  return Symbol.iterator in headers
    ? Object.fromEntries(headers as Iterable<[string, string]>)
    : { ...(headers as Record<string, string>) }
}
