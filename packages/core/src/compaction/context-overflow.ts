import { calibrationOf, defaultCalibration } from "../measure/calibration.ts"
import { jsonBytes, textBytes, totalBytes } from "../measure/measure.ts"
import { ContextOverflowError } from "../base/errors.ts"
import type { Model } from "../contracts/model.ts"
import type { MessageWithParts, ToolPart, ToolState } from "../record/message.ts"
import type { Checked } from "../request/preflight.ts"
import { isCleared } from "../record/tool-calls.ts"

/** Returns an error that lists the parts of the request with their tokens. */
export function overflow({ expected }: Checked, usable: number, why: string): ContextOverflowError {
  const { tokens, system, tools, messages, media } = expected
  const shares = [`system prompt and instructions ${system}`, `tools ${tools}`, `messages ${messages}`]
  if (media > 0) shares.push(`images and documents ${media}`)
  const text = `The next request would take about ${tokens} tokens of ${usable} that are usable (${shares.join(", ")}). ${why}`
  return new ContextOverflowError(text, { tokens, system, tools, messages, media, usable })
}

interface Conversation {
  /** Messages in the order of the request. */
  readonly conversation: readonly MessageWithParts[]
  readonly model: Model
}

/** Returns an error that also names the largest results and arguments, which two compactions have left. */
export function compactedTooOften(
  checked: Checked,
  usable: number,
  { conversation, model }: Conversation,
): ContextOverflowError {
  const { tokens, media } = checked.expected
  const text = Math.ceil(totalBytes(checked.size) / defaultCalibration(model).bytesPerToken)
  const isHidden = tokens > MAX_OVERCOUNT * (text + media)
  const hidden = `The text of the request is only about ${text} tokens: the provider adds a prompt of its own, or counts too much.`
  const { bytesPerToken } = calibrationOf(conversation, model)
  const results = largestResults(conversation, bytesPerToken)
  const longResults = `The largest results are ${results.join(", ")}.`
  const inputs = largestArguments(conversation, bytesPerToken)
  const longInputs = `The longest arguments of calls are those of ${inputs.join(", ")}.`
  const sentences = [
    ...[TOO_OFTEN, ...(isHidden ? [hidden] : [])],
    ...(results.length > 0 ? [longResults] : []),
    ...(inputs.length > 0 ? [longInputs] : []),
    WAY_OUT,
  ]
  return overflow(checked, usable, sentences.join(" "))
}

const TOO_OFTEN =
  "The conversation was compacted twice within the last three answers, and the window is full again. A third summary would cost without helping, so the run was stopped."
const WAY_OUT =
  "Send a message to continue, with less to read at a time, or choose a model with a larger window, fewer tools or shorter instruction files."

/** Ratio of counted to estimated tokens. Above it, the provider counts more than the text of the request. */
const MAX_OVERCOUNT = 2
const MAX_NAMED_PARTS = 3
const MAX_TITLE_LENGTH = 60

/** Returns the largest results in the conversation, with their tokens. */
function largestResults(conversation: readonly MessageWithParts[], bytesPerToken: number): string[] {
  return largest(conversation, bytesPerToken, ({ output }) => textBytes(output))
}

/** Returns the longest arguments of calls, with their tokens, if requests only show a part of them. */
function largestArguments(conversation: readonly MessageWithParts[], bytesPerToken: number): string[] {
  return largest(conversation, bytesPerToken, ({ input }, { shownBytes }) =>
    shownBytes === undefined ? 0 : jsonBytes(input),
  )
}

function largest(
  conversation: readonly MessageWithParts[],
  bytesPerToken: number,
  bytesOf: (state: Extract<ToolState, { status: "completed" }>, part: ToolPart) => number,
): string[] {
  const sized = conversation.flatMap(({ parts }) => {
    return parts.flatMap((part) => {
      if (part.type !== "tool" || part.state.status !== "completed" || isCleared(part)) return []
      const { title } = part.state
      const name = title === part.tool ? title : `${part.tool} ${shortened(title)}`
      const bytes = bytesOf(part.state, part)
      return bytes > 0 ? [{ name, tokens: Math.ceil(bytes / bytesPerToken) }] : []
    })
  })
  const named = sized.toSorted((a, b) => b.tokens - a.tokens).slice(0, MAX_NAMED_PARTS)
  return named.map(({ name, tokens }) => `${name} (${tokens} tokens)`)
}

function shortened(title: string): string {
  return title.length > MAX_TITLE_LENGTH ? `${title.slice(0, MAX_TITLE_LENGTH).toWellFormed()}…` : title
}
