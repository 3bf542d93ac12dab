import { messageOf, ProviderError, toStoredError } from "../../base/errors.ts"
import type { EventBus } from "../../contracts/events.ts"
import type { IDSource, PartID } from "../../base/ids.ts"
import { variantChange } from "../../contracts/variant.ts"
import type { Write } from "../../contracts/storage.ts"
import { type Failed, type FallbackDeps, nextModel } from "./fallback.ts"
import { modelName, type AssistantMessage, type RetryPart } from "../../record/message.ts"
import type { Journal } from "../../store/journal.ts"
import type { RetryDecision } from "../../request/retry.ts"
import { allTokens, type Spent } from "../../record/spent.ts"

/** The attempt failed; its message is not complete. */
export interface FailedOutcome {
  readonly type: "failed"
  readonly error: unknown
  /** Set if calls were made; they are settled, so the message's parts are worth keeping. */
  readonly called: boolean
  readonly partIDs: readonly PartID[]
  readonly spent: Spent
}

/** A failed attempt and its outcome. */
export interface BrokenAttempt {
  /** Includes the tokens and costs so far. */
  readonly message: AssistantMessage
  readonly outcome: FailedOutcome
  readonly error: unknown
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Milliseconds since the step's first attempt began. */
  readonly elapsed: number
}

export interface BrokenAttemptDeps {
  readonly ids: IDSource
  readonly now: () => number
}

/** Returns the failure as users see it, and as a later process counts it. */
export function retryPart(
  { ids, now }: BrokenAttemptDeps,
  { message, outcome, error, attempt, elapsed }: BrokenAttempt,
  then: Pick<RetryPart, "next" | "fallback">,
): RetryPart {
  return {
    ...{ id: ids.part(outcome.partIDs.at(-1)), sessionID: message.sessionID, messageID: message.id, type: "retry" },
    attempt,
    ...(error instanceof ProviderError ? { kind: error.kind } : {}),
    error: toStoredError(error),
    ...then,
    ...(outcome.spent.cost > 0 || allTokens(outcome.spent.tokens) > 0
      ? { cost: outcome.spent.cost, tokens: outcome.spent.tokens }
      : {}),
    // The time that tools took does not count as time of attempts.
    ...(outcome.called ? {} : { elapsed: Math.round(elapsed) }),
    time: { created: now() },
  }
}

/**
 * Returns the writes for a retry. If tools have run, or another model continues, the message is completed. If no tools
 * have run, the parts of the attempt are removed.
 */
export function retryWrites(
  { now }: Pick<BrokenAttemptDeps, "now">,
  { message, outcome }: BrokenAttempt,
  part: RetryPart,
): Write[] {
  const { id: messageID } = message
  const gone = outcome.called ? [] : outcome.partIDs
  const removals = gone.map((partID): Write => ({ type: "part.remove", messageID, partID }))
  if (!outcome.called && !part.fallback) {
    return [...removals, { type: "message.put", message }, { type: "part.put", part }]
  }
  const time = { ...message.time, completed: now() }
  return [
    ...removals,
    { type: "part.put", part },
    { type: "message.put", message: { ...message, finish: "unknown", time } },
  ]
}

/** Largest time of a Date. A server may ask to wait for longer. */
const MAX_TIME_MS = 8.64e15

/** Completes the message with the error. `why`: the reason for giving up, and the wait before the next try. */
export function giveUpWrite(
  { now }: Pick<BrokenAttemptDeps, "now">,
  message: AssistantMessage,
  error: unknown,
  why: Partial<Pick<Extract<RetryDecision, { type: "give-up" }>, "reason" | "wait">> = {},
): Write {
  const stored = toStoredError(error)
  const completed = now()
  const retryAt = why.wait === undefined ? undefined : Math.min(completed + why.wait, MAX_TIME_MS)
  const words = [stored.data.message, why.reason, retryAt && `Continue the session after ${shownTime(retryAt)}.`]
  const data = { ...stored.data, message: words.filter(Boolean).join(" "), ...(retryAt ? { retryAt } : {}) }
  const time = { ...message.time, completed }
  return { type: "message.put", message: { ...message, finish: "error", error: { ...stored, data }, time } }
}

function shownTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z")
}

export interface SwitchDeps {
  readonly store: BrokenAttemptDeps & { readonly bus: EventBus }
  readonly models: FallbackDeps
}

/** Returns whether another model takes the step. Stores that model for the loop, and notifies users. */
export async function switchToFallback(
  { store, models }: SwitchDeps,
  journal: Journal,
  failed: Failed,
  broken: BrokenAttempt,
): Promise<boolean> {
  const next = await nextModel(models, broken.error, failed)
  if (!next) return false
  const { to, skipped } = next
  const { model, user } = failed
  const fallback = { for: user.model, to }
  await journal.commit(retryWrites(store, broken, retryPart(store, broken, { fallback })))
  const passed = skipped.map((each) => ` Skipped ${each}`).join("")
  const change = variantChange(next.model, user.variant)
  const changed = change === undefined ? "" : ` ${change}`
  const message = `${messageOf(broken.error)}${passed} Continuing with ${modelName(to)} instead of ${modelName(model)}, until the next prompt.${changed}`
  store.bus.publish("session.notice", { sessionID: broken.message.sessionID, message })
  return true
}
