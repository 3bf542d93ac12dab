import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { handleExchange, type ExchangeDeps } from "./http/exchange.ts"
import { basePath } from "./http/route.ts"
import type { RecordedRequest } from "./recorded-request.ts"
import { requestLog } from "./request-log.ts"
import { httpError } from "./script/http-error.ts"
import { checkWait } from "./script/number.ts"
import { exhausted, toChooseReply, type Replies } from "./script/replies.ts"
import { anthropicFormat } from "./wire/anthropic/anthropic-format.ts"
import { chatFormat } from "./wire/chat/chat-format.ts"
import { geminiFormat } from "./wire/gemini/gemini-format.ts"
import { responsesFormat } from "./wire/responses/responses-format.ts"

export interface ModelServerOptions {
  /** A list of replies, one for each accepted request in order, or a function that returns the reply for a request. */
  replies: Replies
  /** Start the list again at its end. Default: false. */
  repeat?: boolean
  /** Known models. Default: `GET /v1/models` lists `scripted`, and any name is accepted. */
  models?: readonly string[]
  /** If set, requests need this key in the header of their API. */
  apiKey?: string
  /** Reject what the real API would reject. Default: true. */
  strict?: boolean
  /** Maximum size of a request body in bytes. Default: 64 MiB. */
  bodyLimit?: number
  /** Delay before each reply of the script, in milliseconds. Default: 0. */
  delay?: number
  /** Keep requests in `requests`. Default: true. Turn it off for long load tests. */
  record?: boolean
  /** Called for each received request before it is answered. If it throws, the answer has status 500: see `errors`. */
  onRequest?: (request: RecordedRequest) => void
  /** Returns milliseconds since the epoch, for `created`. Default: `Date.now`. */
  now?: () => number
}

/** A running server. `await using` closes it. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL for a client of OpenAI or Anthropic: `http://127.0.0.1:PORT/v1`. */
  readonly url: string
  /** `http://127.0.0.1:PORT`. A Gemini client needs this with `/v1beta` as its base URL. */
  readonly origin: string
  /** All HTTP requests in order of arrival, also refused ones. */
  readonly requests: readonly RecordedRequest[]
  /** Number of accepted requests for which the script had no reply. 0 means that the script had enough replies. */
  readonly exhausted: number
  /** Number of connections that clients have opened, also those without a request. */
  readonly connections: number
  /** Resolves when `count` requests were received since the start. Rejects if the server closes first. */
  received(count: number): Promise<readonly RecordedRequest[]>
  /** Resolves when no exchange is in progress, so that `status` and `aborted` of all requests are final. */
  idle(): Promise<void>
  /** Errors of `onRequest` and of invalid replies, in order. */
  readonly errors: readonly unknown[]
  /**
   * Closes every connection immediately, also stalled ones, and stops listening. Can be called repeatedly. Rejects with
   * the first of `errors` after the server has closed.
   */
  close(): Promise<void>
}

/** Starts a server with a scripted model on a free port of the loopback interface. */
export async function modelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { delay = 0 } = options
  checkWait(delay, "The delay of a model server")
  const log = requestLog()
  const closing = new AbortController()
  const chooseReply = toChooseReply(options.replies, options.repeat ?? false)
  let accepted = 0
  let calls = 0
  let exhaustedCount = 0
  let connectionCount = 0
  const errors: unknown[] = []

  const nextReply: ExchangeDeps["nextReply"] = async (request) => {
    const index = accepted++
    const number = index + 1
    try {
      const reply = await chooseReply(request, index)
      if (reply !== undefined) return { number, reply }
    } catch (error) {
      return { number, reply: httpError(500, { message: `Choosing a reply failed: ${String(error)}` }) }
    }
    exhaustedCount++
    return { number, reply: exhausted(options.replies, number) }
  }

  const deps: ExchangeDeps = {
    formats: [chatFormat, responsesFormat, anthropicFormat, geminiFormat],
    rules: { apiKey: options.apiKey, models: options.models, strict: options.strict ?? true },
    bodyLimit: options.bodyLimit ?? 64 * 1024 * 1024,
    models: options.models ?? ["scripted"],
    now: options.now ?? Date.now,
    onRequest(request) {
      log.add(request, options.record ?? true)
      options.onRequest?.(request)
    },
    nextReply,
    delay,
    nextCallID: () => `call_${++calls}`,
    onError: (error) => void errors.push(error),
    closing: closing.signal,
  }

  // Without a timeout, the server cannot close an idle connection just when a client reuses it.
  const http = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const closed = once(response, "close")
    void log.track(Promise.all([handleExchange(deps, incoming, response), closed]))
  })
  http.on("connection", () => connectionCount++)
  http.listen(0, "127.0.0.1")
  await once(http, "listening")
  const stopped = once(http, "close")

  async function close(): Promise<void> {
    closing.abort()
    log.close()
    if (http.listening) http.close()
    http.closeAllConnections()
    await stopped
    await log.idle()
    if (errors.length > 0) throw errors[0]
  }

  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url: origin + basePath,
    origin,
    requests: log.requests,
    get exhausted() {
      return exhaustedCount
    },
    get connections() {
      return connectionCount
    },
    errors,
    received: (count) => log.received(count),
    idle: () => log.idle(),
    close,
    [Symbol.asyncDispose]: close,
  }
}
