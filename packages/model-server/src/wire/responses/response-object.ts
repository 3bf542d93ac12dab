import type { Answer } from "../../script/answer.ts"
import type { FinishReason, Usage } from "../../script/finish.ts"
import { toBlocks } from "../blocks.ts"
import type { AnswerOpening } from "../wire-format.ts"
import { toItem, toItemID } from "./response-item.ts"

/** The fields of a response that change while it is generated. */
export interface ResponseState {
  readonly status: string
  readonly output: readonly object[]
  readonly error?: object
  readonly incomplete_details?: { reason: string }
  readonly usage?: unknown
}

/** Returns the response object, with the settings of the request. */
export function toResponse({ number, model, createdAt, request }: AnswerOpening, state: ResponseState) {
  const { stream: _stream, input: _input, include: _include, ...settings } = request
  return {
    id: `resp_${number}`,
    object: "response",
    created_at: Math.floor(createdAt / 1000),
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    parallel_tool_calls: true,
    previous_response_id: null,
    store: true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    metadata: {},
    usage: null,
    ...settings,
    model,
    ...state,
  }
}

/** Returns the response object of an answer that is not streamed. */
export function toWholeResponse(opening: AnswerOpening, { steps, finish, usage }: Answer) {
  const blocks = toBlocks({ steps })
  const withSignature = includesSignature(opening.request)
  const output = blocks.map((block, index) => {
    const reasoning = blocks[index - 1]?.type === "reasoning" ? index - 1 : undefined
    return toItem(block, toItemID(block.type, { answer: opening.number, index, reasoning }), withSignature)
  })
  return toResponse(opening, { ...toEnding(finish), output, usage: toResponseUsage(usage) })
}

/** Returns true if the request asks for encrypted reasoning. */
export function includesSignature({ include }: AnswerOpening["request"]): boolean {
  return Array.isArray(include) && include.includes("reasoning.encrypted_content")
}

const incompleteReasons: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
}

/** Returns the status for a finish reason. An unknown reason is used as the reason for an incomplete response. */
export function toEnding(reason: FinishReason): Pick<ResponseState, "status" | "incomplete_details"> {
  if (reason === "stop" || reason === "tool-calls") return { status: "completed" }
  return { status: "incomplete", incomplete_details: { reason: incompleteReasons[reason] ?? reason } }
}

/** Returns token counts in the fields of the Responses API. */
export function toResponseUsage({ inputTokens, outputTokens, ...parts }: Required<Usage>): unknown {
  const { cachedTokens, cacheWriteTokens, reasoningTokens, raw } = parts
  return (
    raw ?? {
      input_tokens: inputTokens,
      input_tokens_details: {
        cached_tokens: cachedTokens,
        ...(cacheWriteTokens === 0 ? {} : { cache_write_tokens: cacheWriteTokens }),
      },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
    }
  )
}
