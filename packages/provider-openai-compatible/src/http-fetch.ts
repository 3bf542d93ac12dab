import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import type { Socket } from "node:net"

type Fetch = typeof globalThis.fetch

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MOST_REDIRECTS = 5

/**
 * A fetch over node:http, for what a provider sends: text bodies, headers as a record. Loading the global one costs
 * three times the whole of this, which is most of what a short command takes. Connections are kept for the next
 * request; they do not keep the process alive. The proxy variables of `environment` are honoured where Node knows how.
 * `connectTimeout`: milliseconds for a connection to stand, TLS included; 0 for no limit.
 * Fails as the global one does: TypeError "fetch failed" or "terminated" with its cause, or the signal's reason.
 */
export function createHTTPFetch(environment: NodeJS.ProcessEnv, connectTimeout = 30_000): Fetch {
  const transport = createTransport(environment, connectTimeout)
  return async (input, init) => {
    const url = new URL(typeof input === "object" && "url" in input ? input.url : input)
    return send(transport, url, init ?? {}, MOST_REDIRECTS)
  }
}

type Transport = (url: URL, options: RequestOptions) => ClientRequest

function createTransport(environment: NodeJS.ProcessEnv, connectTimeout: number): Transport {
  const load = (secure: boolean) => {
    // An import would evaluate every export of the module, and one of them loads the global fetch.
    const { Agent, request } = process.getBuiltinModule(secure ? "node:https" : "node:http")
    // Newer than the types.
    const agent = new Agent({ keepAlive: true, proxyEnv: environment })
    return (url: URL, options: RequestOptions) => request(url, { ...options, agent })
  }
  let plain: ReturnType<typeof load> | undefined
  let secure: ReturnType<typeof load> | undefined
  return (url, options) => {
    const open = url.protocol === "https:" ? (secure ??= load(true)) : (plain ??= load(false))
    const opened = open(url, options)
    if (connectTimeout > 0) limitConnecting(opened, connectTimeout)
    return opened
  }
}

function limitConnecting(request: ClientRequest, timeout: number): void {
  const error = Object.assign(new Error(`no connection within ${timeout / 1000} s`), { code: "ETIMEDOUT" })
  const timer = setTimeout(() => request.destroy(error), timeout)
  const stop = () => clearTimeout(timer)
  request.once("close", stop)
  request.once("socket", (socket: Socket & { readonly secureConnecting?: boolean }) => {
    // A kept connection stands already.
    if (!socket.connecting && !socket.secureConnecting) return stop()
    socket.once(socket.secureConnecting === undefined ? "connect" : "secureConnect", stop)
  })
}

async function send(transport: Transport, url: URL, init: RequestInit, redirects: number): Promise<Response> {
  const { method = "GET", body, signal } = init
  signal?.throwIfAborted()
  const headers = toRecord(init.headers)
  const length =
    body === undefined || body === null ? {} : { "content-length": String(Buffer.byteLength(body as string)) }
  const request = transport(url, { method, headers: { "accept-encoding": "identity", ...headers, ...length } })
  const message = await answer(request, body as string | undefined, signal ?? undefined)
  const status = message.statusCode ?? 0
  const { location } = message.headers
  if (!REDIRECTS.has(status) || location === undefined) return toResponse(message, url, signal ?? undefined)
  message.resume()
  if (redirects === 0) throw new TypeError("fetch failed", { cause: new Error("too many redirects") })
  const next = new URL(location, url)
  return send(transport, next, redirected(init, headers, status, next.origin === url.origin), redirects - 1)
}

function answer(request: ClientRequest, body: string | undefined, signal?: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const onAbort = () => request.destroy(signal?.reason as Error)
    signal?.addEventListener("abort", onAbort, { once: true })
    request.once("close", () => signal?.removeEventListener("abort", onAbort))
    request.once("response", resolve)
    request.once("error", (cause) => {
      reject(signal?.aborted ? signal.reason : new TypeError("fetch failed", { cause }))
    })
    request.end(body)
  })
}

/** Another server never gets the credentials of the first. */
function redirected(
  init: RequestInit,
  headers: Record<string, string>,
  status: number,
  isSameOrigin: boolean,
): RequestInit {
  const kept = Object.entries(headers).filter(([name]) => isSameOrigin || name.toLowerCase() !== "authorization")
  const next = { ...init, headers: Object.fromEntries(kept) }
  return status === 307 || status === 308 ? next : { ...next, method: "GET", body: null }
}

/** The part of a Response that readers of an answer use: the real class would load what this file avoids. */
function toResponse(message: IncomingMessage, url: URL, signal?: AbortSignal): Response {
  const status = message.statusCode ?? 0
  const entries = Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)])
  const headers = {
    get: (name: string) => entries.find(([each]) => each === name.toLowerCase())?.[1] ?? null,
    has: (name: string) => entries.some(([each]) => each === name.toLowerCase()),
    entries: () => entries.values(),
    [Symbol.iterator]: () => entries.values(),
  }
  const body = toStream(message, signal)
  const text = async () => {
    const decoder = new TextDecoder()
    let whole = ""
    for await (const chunk of body) whole += decoder.decode(chunk, { stream: true })
    return whole + decoder.decode()
  }
  const response = {
    ...{ status, headers, body, text, url: url.href, redirected: false, type: "basic", bodyUsed: false },
    ok: status >= 200 && status < 300,
    statusText: message.statusMessage ?? "",
    json: async () => JSON.parse(await text()) as unknown,
  }
  return response as unknown as Response
}

function toStream(message: IncomingMessage, signal?: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false
        const fail = (cause: unknown) => {
          if (isOver) return
          isOver = true
          controller.error(signal?.aborted ? signal.reason : new TypeError("terminated", { cause }))
        }
        message.on("data", (chunk: Uint8Array) => {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) message.pause()
        })
        message.once("end", () => {
          if (isOver) return
          isOver = true
          controller.close()
        })
        message.once("error", fail)
        message.once("close", () => fail(new Error("The connection was closed before the answer ended.")))
      },
      pull: () => void message.resume(),
      cancel: () => void message.destroy(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 256 * 1024 }),
  )
}

function toRecord(headers: RequestInit["headers"]): Record<string, string> {
  if (headers === undefined || headers === null) return {}
  return Symbol.iterator in headers
    ? Object.fromEntries(headers as Iterable<[string, string]>)
    : { ...(headers as Record<string, string>) }
}
