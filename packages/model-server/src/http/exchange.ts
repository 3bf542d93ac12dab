import type { IncomingMessage, ServerResponse } from "node:http"
import { parseBody, type RecordedRequest } from "../recorded-request.ts"
import { toAnswer } from "../script/answer.ts"
import { type ErrorReply, httpError } from "../script/http-error.ts"
import type { Reply } from "../script/reply.ts"
import type { WireFormat } from "../wire/wire-format.ts"
import { refuseBody, refuseKey, refuseSize, type AdmissionRules } from "./admission.ts"
import { openOutlet, type Outlet } from "./outlet.ts"
import { playError, playStream, playWhole } from "./play.ts"
import { readBody } from "./read-body.ts"
import { toRoute } from "./route.ts"

/** Dependencies of an exchange. */
export interface ExchangeDeps {
  /** The first format also answers paths that no format has. */
  readonly formats: readonly [WireFormat, ...WireFormat[]]
  readonly rules: AdmissionRules
  /** Bytes. */
  readonly bodyLimit: number
  /** The result of `GET /models`. */
  readonly models: readonly string[]
  readonly now: () => number
  /** Called once for each request, when it was received or its client disconnected. */
  readonly onRequest: (request: RecordedRequest) => void
  /** Returns the reply for an accepted request, with the request's number from 1. */
  readonly nextReply: (request: RecordedRequest) => Promise<{ number: number; reply: Reply }>
  /** Milliseconds before each reply. */
  readonly delay: number
  readonly nextCallID: () => string
  /** Called with an error before or during an answer. The answer then has status 500 or is cut off. */
  readonly onError: (error: unknown) => void
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/** Handles a request from its headers to the end of the answer. */
export async function handleExchange(deps: ExchangeDeps, incoming: IncomingMessage, response: ServerResponse) {
  const { request, tooLarge } = await receive(incoming, deps.bodyLimit)
  const outlet = openOutlet(response, (status) => {
    request.status = status
  })
  const noteEnd = () => {
    request.aborted = !response.writableFinished && !outlet.wasCut && !deps.closing.aborted
  }
  if (outlet.signal.aborted) noteEnd()
  else response.once("close", noteEnd)
  try {
    deps.onRequest(request)
    if (!request.aborted) await respond(deps, request, tooLarge, outlet)
  } catch (error) {
    if (outlet.signal.aborted && error instanceof Error && error.name === "AbortError") return
    deps.onError(error)
    if (outlet.signal.aborted) return
    // A client that waits for the rest of an answer would hang.
    if (response.headersSent) await outlet.cut()
    else playError(deps.formats[0], failure(error), outlet)
  }
}

function failure(error: unknown): ErrorReply {
  return httpError(500, { message: `The model server failed: ${String(error)}` })
}

async function receive(incoming: IncomingMessage, bodyLimit: number) {
  const firstByteAt = performance.now()
  const { raw, tooLarge, aborted } = await readBody(incoming, bodyLimit)
  const receivedAt = performance.now()
  const { method = "", url: path = "", headers } = incoming
  const body = parseBody(raw)
  const request: RecordedRequest = {
    method,
    path,
    headers,
    raw,
    body,
    firstByteAt,
    receivedAt,
    status: undefined,
    aborted,
  }
  return { request, tooLarge }
}

async function respond(deps: ExchangeDeps, request: RecordedRequest, tooLarge: boolean, outlet: Outlet): Promise<void> {
  const route = toRoute(deps.formats, request.method, request.path)
  const format = route.format ?? deps.formats[0]
  if (route.type === "error") return playError(format, route.error, outlet)
  const wrongKey = refuseKey(format, request, deps.rules)
  if (wrongKey !== undefined) return playError(format, wrongKey, outlet)
  if (tooLarge) return playError(format, refuseSize(deps.bodyLimit), outlet)
  if (route.type === "models") return sendModels(deps, outlet)
  const wrongBody = refuseBody(format, request, deps.rules)
  if (wrongBody !== undefined) return playError(format, wrongBody, outlet)
  await sendReply(deps, format, request, outlet)
}

async function sendReply(
  deps: ExchangeDeps,
  format: WireFormat,
  request: RecordedRequest,
  outlet: Outlet,
): Promise<void> {
  const { number, reply } = await outlet.during(deps.nextReply(request))
  if (deps.delay > 0) await outlet.pause(deps.delay)
  if (reply.type === "http-error") return playError(format, reply, outlet)
  const body = request.body as Record<string, unknown>
  const { headers, path: target } = request
  const { model = "scripted", stream } = format.readRequest({ headers, target, body })
  const answer = toAnswer(reply, request.raw.toString().length, deps.nextCallID)
  const play = stream ? playStream : playWhole
  await play(format, { number, model, createdAt: deps.now(), request: body, usage: answer.usage }, answer, outlet)
}

function sendModels({ models, now }: ExchangeDeps, outlet: Outlet): void {
  const created = Math.floor(now() / 1000)
  const list = models.map((id) => ({ id, object: "model", created, owned_by: "pawl" }))
  outlet.send(200, { "content-type": "application/json" }, JSON.stringify({ object: "list", data: list }))
}
