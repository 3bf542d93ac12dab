import { calibrationOf, defaultCalibration } from "../context/tokens/calibration.ts"
import { textBytes, totalBytes } from "../context/tokens/measure.ts"
import { ContextOverflowError } from "../errors.ts"
import type { MessageWithParts, ModelRef } from "./message.ts"
import type { Checked } from "./preflight.ts"
import { isCleared } from "./tool-state.ts"

/** Names what fills the request. */
export function overflow({ expected }: Checked, usable: number, why: string): ContextOverflowError {
  const { tokens, system, tools, messages, media } = expected
  const shares = [`system prompt and instructions ${system}`, `tools ${tools}`, `messages ${messages}`]
  if (media > 0) shares.push(`images and documents ${media}`)
  const text = `The next request would take about ${tokens} tokens of ${usable} that are usable (${shares.join(", ")}). ${why}`
  return new ContextOverflowError(text, { tokens, system, tools, messages, media, usable })
}

interface Conversation {
  /** In the order of the request. */
  readonly talk: readonly MessageWithParts[]
  readonly model: ModelRef
}

/** Says besides what two compactions have left in the window. */
export function compactedTooOften(
  checked: Checked,
  usable: number,
  { talk, model }: Conversation,
): ContextOverflowError {
  const { tokens, media } = checked.expected
  const text = Math.ceil(totalBytes(checked.size) / defaultCalibration(model).bytesPerToken)
  const isHidden = tokens > MOST_OF_TEXT * (text + media)
  const hidden = `The text of the request is only about ${text} tokens: the provider adds a prompt of its own, or counts too much.`
  const results = largestResults(talk, calibrationOf(talk, model).bytesPerToken)
  const largest = `The largest results are ${results.join(", ")}.`
  const sentences = [TOO_OFTEN, ...(isHidden ? [hidden] : []), ...(results.length > 0 ? [largest] : []), WAY_OUT]
  return overflow(checked, usable, sentences.join(" "))
}

const TOO_OFTEN =
  "The conversation was compacted twice within the last three answers, and the window is full again. A third summary would cost without helping, so the run was stopped."
const WAY_OUT =
  "Send a message to continue, with less to read at a time, or choose a model with a larger window, fewer tools or shorter instruction files."

/** Tokens for each that the text is estimated at, beyond which the provider counts something else as well. */
const MOST_OF_TEXT = 2
const RESULTS_NAMED = 3
const TITLE_LENGTH = 60

/** The largest results in the conversation, with their tokens. */
function largestResults(talk: readonly MessageWithParts[], bytesPerToken: number): string[] {
  const sized = talk.flatMap(({ parts }) => {
    return parts.flatMap((part) => {
      if (part.type !== "tool" || part.state.status !== "completed" || isCleared(part)) return []
      const { title, output } = part.state
      const name = title === part.tool ? title : `${part.tool} ${title.slice(0, TITLE_LENGTH).toWellFormed()}`
      return [{ name, tokens: Math.ceil(textBytes(output) / bytesPerToken) }]
    })
  })
  const largest = sized.toSorted((a, b) => b.tokens - a.tokens).slice(0, RESULTS_NAMED)
  return largest.map(({ name, tokens }) => `${name} (${tokens} tokens)`)
}
