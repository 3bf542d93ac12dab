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
  /** A list played in order, one reply for each accepted request, or a function that chooses by the request. */
  replies: Replies
  /** Play a list again from its start when it ends. Default false. */
  repeat?: boolean
  /** Known models. Default: `GET /v1/models` lists `scripted`, and any name is accepted. */
  models?: readonly string[]
  /** When given, requests need this key, in the header that the API of their path has for it. */
  apiKey?: string
  /** Refuse what the real API would refuse. Default true. */
  strict?: boolean
  /** Largest request body in bytes. Default 64 MiB. */
  bodyLimit?: number
  /** Milliseconds to wait before each reply of the script. Default 0. */
  delay?: number
  /** Keep requests in `requests`. Default true; turn off for long load runs. */
  record?: boolean
  /** Called for each received request, before it is answered. When it throws, the answer is status 500: see `errors`. */
  onRequest?: (request: RecordedRequest) => void
  /** Milliseconds since the epoch, for `created`. Default `Date.now`. */
  now?: () => number
}

/** A running server. `await using` closes it. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL to give to a client of OpenAI or Anthropic, `http://127.0.0.1:PORT/v1`. */
  readonly url: string
  /** `http://127.0.0.1:PORT`; the base URL of a Gemini client is this with `/v1beta`. */
  readonly origin: string
  /** All HTTP requests in order of arrival, also those that were refused. */
  readonly requests: readonly RecordedRequest[]
  /** How many accepted requests found no reply. A test that ends with 0 asked no more than it scripted. */
  readonly exhausted: number
  /** How many connections were opened to it, also those on which nothing was asked. */
  readonly connections: number
  /** Resolves when `count` requests were received since the start; rejects when the server closes before. */
  received(count: number): Promise<readonly RecordedRequest[]>
  /** Resolves when no exchange is under way, so that `status` and `aborted` of all requests are final. */
  idle(): Promise<void>
  /** Errors of `onRequest` and of replies that cannot be sent, in order. */
  readonly errors: readonly unknown[]
  /**
   * Ends every connection at once, stalled ones too, and stops listening. May be called again. Rejects with the first of
   * `errors`, once the server is closed.
   */
  close(): Promise<void>
}

/** Starts a scripted model on a free port of the loopback interface. */
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

  // A kept connection must not be closed for idleness just when a client reuses it.
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
