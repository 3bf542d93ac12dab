import { ProviderError } from "../../base/errors.ts"
import type { Hooks } from "../../hooks/hooks.ts"
import type { AssistantMessage } from "../../record/message.ts"
import type { StepContext } from "../../request/step-context.ts"

/** The attempt that failed. */
export interface FailedAttempt {
  readonly context: Pick<StepContext, "rootSessionID" | "agent" | "model">
  readonly message: Pick<AssistantMessage, "id" | "sessionID">
  /** Number of the attempt, from 1. */
  readonly attempt: number
}

/**
 * Asks plugins for the kind of the failure and the time to wait. Returns the same error if no plugin changes these.
 */
export async function judgedFailure(
  hooks: Pick<Hooks, "has" | "transform">,
  signal: AbortSignal,
  { context, message: { id, sessionID }, attempt }: FailedAttempt,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ProviderError) || !hooks.has("provider.error")) return error
  const { kind, message, details } = error
  const { statusCode, responseHeaders, responseBody, retryAfter } = details
  const failure = {
    sessionID,
    messageID: id,
    rootSessionID: context.rootSessionID,
    agent: context.agent.name,
    model: context.model.ref,
    attempt,
    message,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseHeaders === undefined ? {} : { responseHeaders: { ...responseHeaders } }),
    ...(responseBody === undefined ? {} : { responseBody }),
  }
  const draft = { kind, ...(retryAfter === undefined ? {} : { retryAfter }) }
  const judged = await hooks.transform("provider.error", failure, draft, signal).catch(() => draft)
  if (judged.kind === kind && judged.retryAfter === retryAfter) return error
  return new ProviderError(judged.kind, message, { ...details, retryAfter: judged.retryAfter }, { cause: error })
}
