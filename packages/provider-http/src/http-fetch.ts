import type { ClientRequest, IncomingMessage } from "node:http"
import { type Outgoing, redirected } from "./http-redirect.ts"
import { toResponse } from "./http-response.ts"
import { createTransport, type Transport, type TransportOptions } from "./http-transport.ts"

type Fetch = typeof globalThis.fetch

const MOST_REDIRECTS = 5

/** What a fetch of this package takes besides. */
export interface HTTPRequestInit extends RequestInit {
  /** Called when the whole of the request has been handed to the system. */
  readonly onSent?: (() => void) | undefined
}

/**
 * A fetch over node:http, for what a provider sends: text bodies, headers as a record. Loading the global one costs
 * three times the whole of this, which is most of what a short command takes. Connections are kept for the next
 * request; they do not keep the process alive. One that the server has closed meanwhile is replaced, and the request
 * sent again, once.
 * Fails as the global one does: TypeError "fetch failed" or "terminated" with its cause, or the signal's reason. A
 * redirect that would take the prompt or a key to another server is a ProviderError.
 */
export function createHTTPFetch(options: TransportOptions = {}): Fetch {
  return createHTTPClient(options).fetch
}

export interface HTTPClient {
  readonly fetch: Fetch
  /** Opens a connection to the server of this URL for a POST that follows soon. Does not throw. */
  readonly connect: (url: string) => void
}

/** That fetch, with a way to have a connection before it is known what is asked. */
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
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
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
    // Nobody reads its body, which may have no end.
    if (next !== undefined) message.destroy()
    return next
  } catch (error) {
    message.destroy()
    throw error instanceof TypeError ? failed(error) : error
  }
}

async function exchange(transport: Transport, { url, method, headers, body }: Outgoing, { signal, onSent }: Exchange) {
  // As a string it would be copied once more, behind the headers.
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

/** Whether the server closed a kept connection, as it may at any time: it never saw the request. */
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
      // Node says no more where the server wants to speak another protocol. Behind an answer or an error it changes nothing.
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
