import { saysSomething, type Answer, type AnswerStep } from "../script/answer.ts"
import type { ErrorReply } from "../script/http-error.ts"
import type { AnswerEvent, AnswerOpening, WireError, WireFormat } from "../wire/wire-format.ts"
import type { Outlet } from "./outlet.ts"
import { encodeFrames, repeatFrames } from "./repeat-frames.ts"

/** Sends an answer as a stream, step by step. The headers are sent with the first event. */
export async function playStream(format: WireFormat, opening: AnswerOpening, answer: Answer, outlet: Outlet) {
  const encode = format.openStream(opening)
  let hasHead = false
  let started = false
  const head = () => {
    if (!hasHead) outlet.head(200, format.streamHeaders)
    hasHead = true
  }
  const begin = async () => {
    if (started) return
    started = true
    head()
    await outlet.write(encode({ type: "start" }))
  }
  const send = async (event: AnswerEvent) => {
    await begin()
    await outlet.write(encode(event))
  }

  for (const step of answer.steps) {
    switch (step.type) {
      case "start":
        await begin()
        break
      case "wait":
        await outlet.pause(step.milliseconds)
        break
      case "pings":
        head()
        for (let sent = 0; sent < step.times; sent++) {
          await outlet.pause(step.every)
          await outlet.write(format.keepAlive)
        }
        break
      case "cut":
        return await outlet.cut()
      case "stall":
        return await outlet.stall()
      case "end":
        head()
        return outlet.end()
      case "stream-error":
        await send({ type: "error", error: { ...step, status: undefined, retryAfter: undefined } })
        return outlet.end()
      case "deltas":
        if (step.count === 0) break
        // In some formats, the first delta may open a block.
        await send({ type: "text", delta: step.texts[0] ?? "" })
        for (const block of blocksBehindFirst(format, step, encode)) await outlet.write(block)
        break
      default:
        for (const event of toEvents(step)) await send(event)
    }
  }
  await send({ type: "finish", reason: answer.finish, usage: answer.usage })
  outlet.end()
}

type SpokenStep = Extract<AnswerStep, { type: "text" | "reasoning" | "tool-call" | "bad-json" }>

function toEvents(step: SpokenStep): AnswerEvent[] {
  if (step.type === "bad-json") return [{ type: "bad-json" }]
  if (step.type === "text") return step.chunks.map((delta) => ({ type: "text", delta }))
  if (step.type === "reasoning") {
    return step.chunks.map((delta) => ({ type: "reasoning", delta, signature: step.signature }))
  }
  const { index, id, name, chunks } = step
  return [
    { type: "tool-call", index, id, name, input: chunks.join("") },
    ...chunks.map((delta) => toArguments(index, delta)),
  ]
}

function toArguments(index: number, delta: string): AnswerEvent {
  return { type: "tool-arguments", index, delta }
}

/**
 * Sends an answer as one JSON body after all its waits. A fault comes after half of the body, or, if the answer has no
 * earlier content, replaces the whole answer.
 */
export async function playWhole(format: WireFormat, opening: AnswerOpening, answer: Answer, outlet: Outlet) {
  for (const step of answer.steps) {
    if (step.type === "wait") await outlet.pause(step.milliseconds)
    // A complete body cannot contain keep-alive data.
    if (step.type === "pings") await (step.times === Infinity ? outlet.stall() : outlet.pause(step.times * step.every))
  }
  const body = format.toBody(opening, answer)
  const half = body.slice(0, Math.floor(body.length / 2))
  const last = answer.steps.at(-1)
  const begin = async () => {
    if (!saysSomething(answer)) return
    outlet.head(200, json)
    await outlet.write(half)
  }

  switch (last?.type) {
    case "cut":
      await begin()
      return await outlet.cut()
    case "stall":
      await begin()
      return await outlet.stall()
    case "end":
      outlet.head(200, json)
      return outlet.end(saysSomething(answer) ? half : "")
    case "stream-error":
      return sendError(format, { ...last, status: undefined, retryAfter: undefined }, {}, undefined, outlet)
    default:
      return outlet.send(200, json, answer.steps.some((step) => step.type === "bad-json") ? half : body)
  }
}

const json = { "content-type": "application/json" }

/** Sends an error status with the error body of the format, or with the body of the script. */
export function playError(format: WireFormat, error: ErrorReply, outlet: Outlet): void {
  sendError(format, error, error.headers, error.body, outlet)
}

function sendError(
  format: WireFormat,
  error: WireError,
  ownHeaders: Readonly<Record<string, string>>,
  ownBody: unknown,
  outlet: Outlet,
): void {
  const { status, headers, body: spelledBody } = format.toError(error)
  const body = ownBody ?? spelledBody
  const text = typeof body === "string" ? body : JSON.stringify(body)
  outlet.send(error.status ?? status, { ...json, ...headers, ...ownHeaders }, text)
}

type Deltas = Extract<AnswerStep, { type: "deltas" }>

/** Encodes all of `deltas` except the first one, in few large blocks. */
function blocksBehindFirst(
  { repeatsFrames }: WireFormat,
  { texts, count }: Deltas,
  encode: (event: AnswerEvent) => string,
): Iterable<Buffer> {
  const following = [...texts.slice(1), ...texts.slice(0, 1)]
  const toFrame = (delta: string) => encode({ type: "text", delta })
  return repeatsFrames ? repeatFrames(following.map(toFrame), count - 1) : encodeFrames(following, count - 1, toFrame)
}
