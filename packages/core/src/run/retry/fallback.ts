import { isRequest } from "../../record/request-order.ts"
import { messageOf, ProviderError, type ProviderErrorKind } from "../../base/errors.ts"
import type { Model } from "../../contracts/model.ts"
import {
  isSameModel,
  type MessageWithParts,
  type ModelRef,
  type Part,
  type RetryPart,
  type UserMessage,
  modelName,
} from "../../record/message.ts"

/** Failures of the provider itself. Errors in the request would fail with the next model too. */
const REPLACEABLE: ReadonlySet<ProviderErrorKind> = new Set([
  "quota-exhausted",
  "auth",
  "transient",
  "rate-limited",
  "incomplete-stream",
  "transport",
])

export interface FallbackDeps {
  readonly findModel: (ref: ModelRef) => Promise<Model>
}

/**
 * Returns the model that answers now: the model of the message, or its fallback. The user's next prompt starts with its
 * own model again.
 */
export function modelInForce(messages: readonly MessageWithParts[], { model }: UserMessage): ModelRef {
  const replacements: { readonly parentID: string; readonly fallback: Fallback }[] = []
  let prompt = ""
  // Runs at each step, and a turn may have thousands of steps.
  for (let at = messages.length - 1; at >= 0 && prompt === ""; at--) {
    const message = messages[at] as MessageWithParts
    const { info, parts } = message
    if (info.role === "assistant") {
      const fallback = fallbackIn(parts)
      if (fallback) replacements.push({ parentID: info.parentID, fallback })
    } else if (isPrompt(message)) prompt = info.id
  }
  // A prompt can sort before the answer that has not seen it.
  const fallback = replacements.find(({ parentID }) => parentID >= prompt)?.fallback
  return fallback && isSameModel(fallback.for, model) ? fallback.to : model
}

type Fallback = NonNullable<RetryPart["fallback"]>

function fallbackIn(parts: readonly Part[]): RetryPart["fallback"] {
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]
    if (part?.type === "retry") return part.fallback
  }
  return undefined
}

function isPrompt(message: MessageWithParts): boolean {
  return isRequest(message) || message.parts.some((part) => part.type === "subtask")
}

/** The message to answer, its fallback models in order, and the model that has failed permanently. */
export interface Failed {
  readonly user: UserMessage
  readonly fallback: readonly ModelRef[]
  readonly model: ModelRef
}

/**
 * Returns the next available model of the list. `skipped` names the unavailable models before it, with their errors.
 */
export async function nextModel(
  { findModel }: FallbackDeps,
  error: unknown,
  { user, fallback, model }: Failed,
): Promise<{ readonly to: ModelRef; readonly model: Model; readonly skipped: readonly string[] } | undefined> {
  if (!(error instanceof ProviderError) || !REPLACEABLE.has(error.kind)) return undefined
  const all = [user.model, ...fallback]
  const chain = all.filter((ref, index) => all.findIndex((each) => isSameModel(each, ref)) === index)
  const at = chain.findIndex((ref) => isSameModel(ref, model))
  const skipped: string[] = []
  for (const to of at < 0 ? [] : chain.slice(at + 1)) {
    try {
      return { to, model: await findModel(to), skipped }
    } catch (cause) {
      skipped.push(`${modelName(to)}: ${messageOf(cause)}`)
    }
  }
  return undefined
}
