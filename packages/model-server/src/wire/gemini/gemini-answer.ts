import { cycled, type Answer, type AnswerStep } from "../../script/answer.ts"
import type { FinishReason, Usage } from "../../script/finish.ts"
import type { AnswerEvent, AnswerOpening } from "../wire-format.ts"
import { toGeminiError } from "./gemini-error.ts"
import { toFinish, toGeminiUsage } from "./gemini-usage.ts"
import { geminiParts, type GeminiParts } from "./gemini-parts.ts"

/** Encodes an answer as server-sent events, each a complete response with a part of the content. */
export function openGeminiStream(opening: AnswerOpening): (event: AnswerEvent) => string {
  const parts = geminiParts()
  const { inputTokens } = opening.usage
  const usageSoFar = { promptTokenCount: inputTokens, totalTokenCount: inputTokens }
  const send = (part: object | undefined) =>
    part === undefined ? "" : frame(toChunk(opening, { content: toContent([part]), index: 0 }, usageSoFar))

  return (event) => {
    switch (event.type) {
      case "start":
      case "tool-arguments":
        return ""
      case "text":
        return send(parts.text(event.delta))
      case "reasoning":
        return send(parts.reasoning(event.delta, event.signature))
      case "tool-call":
        return send(parts.call(event))
      case "bad-json":
        return 'data: {"candidates": [{"content":\r\n\r\n'
      case "error":
        return frame(toGeminiError(event.error).body)
    }
    return frame(toLast(opening, parts, [], event.reason, event.usage))
  }
}

/** Returns the body of an answer that is not streamed: one response with all parts. */
export function toWholeGemini(opening: AnswerOpening, { steps, finish, usage }: Answer): object {
  const parts = geminiParts()
  const contentParts = steps.map((step) => toPart(parts, step)).filter((part) => part !== undefined)
  return toLast(opening, parts, contentParts, finish, usage)
}

function toPart(parts: GeminiParts, step: AnswerStep): object | undefined {
  switch (step.type) {
    case "text":
      return parts.text(step.chunks.join(""))
    case "deltas":
      return parts.text(cycled(step))
    case "reasoning":
      return parts.reasoning(step.chunks.join(""), step.signature)
    case "tool-call":
      return parts.call({ id: step.id, name: step.name, input: step.chunks.join("") })
    default:
      return undefined
  }
}

/** Returns the last response, which follows the content. */
function toLast(
  opening: AnswerOpening,
  parts: GeminiParts,
  contentParts: readonly object[],
  reason: FinishReason,
  usage: Required<Usage>,
): object {
  const content = toContent([...contentParts, ...parts.end(contentParts.length === 0)])
  const finish = parts.isMalformed()
    ? { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "Malformed function call." }
    : { finishReason: toFinish(reason) }
  return toChunk(opening, { content, ...finish, index: 0 }, toGeminiUsage(usage))
}

function toContent(parts: readonly object[]): object {
  return { parts, role: "model" }
}

function toChunk({ number, model }: AnswerOpening, candidate: object, usageMetadata: unknown): object {
  return { candidates: [candidate], usageMetadata, modelVersion: model, responseId: `response_${number}` }
}

function frame(value: object): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`
}
