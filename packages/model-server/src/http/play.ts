import { saysSomething, type Answer, type AnswerStep } from "../script/answer.ts"
import type { ErrorReply } from "../script/http-error.ts"
import type { AnswerEvent, AnswerOpening, WireFormat } from "../wire/wire-format.ts"
import type { Outlet } from "./outlet.ts"
import { repeatFrames } from "./repeat-frames.ts"

/** Sends an answer as a stream, step by step. The head goes out with the first event. */
export async function playStream(format: WireFormat, opening: AnswerOpening, answer: Answer, outlet: Outlet) {
  const encode = format.openStream(opening)
  let started = false
  const begin = async () => {
    if (started) return
    started = true
    outlet.head(200, format.streamHeaders)
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
      case "cut":
        return await outlet.cut()
      case "stall":
        return await outlet.stall()
      case "end":
        if (!started) outlet.head(200, format.streamHeaders)
        return outlet.end()
      case "stream-error":
        await send({ type: "error", message: step.message, code: step.code })
        return outlet.end()
      case "deltas":
        if (step.count === 0) break
        // The first one may open a block in some formats; from the second on the frame of a text is always the same.
        await send({ type: "text", delta: step.texts[0] ?? "" })
        for (const block of repeatFrames(framesBehindFirst(step.texts, encode), step.count - 1)) {
          await outlet.write(block)
        }
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
  if (step.type !== "tool-call") return step.chunks.map((delta) => ({ type: step.type, delta }))
  const { index, id, name, chunks } = step
  return [{ type: "tool-call", index, id, name }, ...chunks.map((delta) => toArguments(index, delta))]
}

function toArguments(index: number, delta: string): AnswerEvent {
  return { type: "tool-arguments", index, delta }
}

/**
 * Sends an answer as one JSON body after all its waits. A fault comes after half of the body, or, when nothing was
 * said before it, in place of the whole answer.
 */
export async function playWhole(format: WireFormat, opening: AnswerOpening, answer: Answer, outlet: Outlet) {
  for (const step of answer.steps) {
    if (step.type === "wait") await outlet.pause(step.milliseconds)
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
      return outlet.send(500, json, JSON.stringify(format.toErrorBody({ kind: "server", ...last })))
    default:
      return outlet.send(200, json, answer.steps.some((step) => step.type === "bad-json") ? half : body)
  }
}

const json = { "content-type": "application/json" }

/** Sends an error status with the error body of the format, or the body that the script gives. */
export function playError(format: WireFormat, error: ErrorReply, outlet: Outlet): void {
  const body = error.body ?? format.toErrorBody(error)
  outlet.send(error.status, { ...json, ...error.headers }, typeof body === "string" ? body : JSON.stringify(body))
}

/** In the order in which they follow the first text. */
function framesBehindFirst(texts: readonly string[], encode: (event: AnswerEvent) => string): string[] {
  return [...texts.slice(1), ...texts.slice(0, 1)].map((delta) => encode({ type: "text", delta }))
}
