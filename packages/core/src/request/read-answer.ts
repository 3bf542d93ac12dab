import { ProviderError } from "../base/errors.ts"
import type { FinishReason, Model, ModelRequest } from "../contracts/model.ts"
import { countedTokens } from "../record/tokens.ts"
import type { Tokens } from "../record/message.ts"
import type { AskModel } from "./ask-model.ts"

export interface TextAnswer {
  readonly text: string
  /** Set if the answer reached its length limit. */
  readonly isCut: boolean
  readonly finish: FinishReason
  readonly tokens: Tokens
}

/**
 * Reads the text of an answer, and ignores its other content. `onText`: called with the number of received characters.
 */
export async function readAnswer(
  { askModel }: { readonly askModel: AskModel },
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  onText: (length: number) => void = () => undefined,
): Promise<TextAnswer> {
  const pieces: string[] = []
  let end: { reason: FinishReason; tokens: Tokens } | undefined
  for await (const event of askModel(model, request, signal)) {
    if (event.type === "text-delta") pieces.push(event.text)
    if (event.type === "text-delta" || event.type === "reasoning-delta") onText(event.text.length)
    if (event.type === "error") throw event.error
    if (event.type === "finish-step" || event.type === "finish") {
      end ??= { reason: event.reason, tokens: countedTokens(event.usage) }
      if (event.type === "finish") break
    }
  }
  if (!end) throw new ProviderError("incomplete-stream", "The answer ended before its finish event.")
  const { reason: finish } = end
  return { text: pieces.join(""), isCut: finish === "length", finish, tokens: end.tokens }
}
