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

/** The message is not complete. */
export interface FailedOutcome {
  readonly type: "failed"
  readonly error: unknown
  /** Calls were made and are settled, so the message's parts are worth keeping. */
  readonly called: boolean
  readonly partIDs: readonly PartID[]
  readonly spent: Spent
}

/** An attempt that failed, and what came of it. */
export interface BrokenAttempt {
  /** With what it has taken so far. */
  readonly message: AssistantMessage
  readonly outcome: FailedOutcome
  readonly error: unknown
  /** From 1. */
  readonly attempt: number
  /** Milliseconds since the step's first attempt began. */
  readonly elapsed: number
}

export interface BrokenAttemptDeps {
  readonly ids: IDSource
  readonly now: () => number
}

/** The failure as people see it, and as a process after this one counts it. */
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
    // What its tools took is no time of trying.
    ...(outcome.called ? {} : { elapsed: Math.round(elapsed) }),
    time: { created: now() },
  }
}

/** Where tools have run, or another model goes on, the message is over; where none have, what came of it goes. */
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

/** The last one that has a date. A server may ask to wait for longer. */
const LATEST_TIME = 8.64e15

/** The message ends with the error; `why` it was given up stands behind it, with the time from which on to try again. */
export function giveUpWrite(
  { now }: Pick<BrokenAttemptDeps, "now">,
  message: AssistantMessage,
  error: unknown,
  why: Partial<Pick<Extract<RetryDecision, { type: "give-up" }>, "reason" | "wait">> = {},
): Write {
  const stored = toStoredError(error)
  const completed = now()
  const retryAt = why.wait === undefined ? undefined : Math.min(completed + why.wait, LATEST_TIME)
  const words = [stored.data.message, why.reason, retryAt && `Continue the session after ${shownTime(retryAt)}.`]
  const data = { ...stored.data, message: words.filter(Boolean).join(" "), ...(retryAt ? { retryAt } : {}) }
  const time = { ...message.time, completed }
  return { type: "message.put", message: { ...message, finish: "error", error: { ...stored, data }, time } }
}

function shownTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z")
}

export interface ElsewhereDeps extends BrokenAttemptDeps, FallbackDeps {
  readonly bus: EventBus
}

/** Whether another model takes the step: stored, so that the loop asks it, and told to people. */
export async function goOnElsewhere(
  deps: ElsewhereDeps,
  { journal, ...failed }: Failed & { readonly journal: Journal },
  broken: BrokenAttempt,
): Promise<boolean> {
  const next = await nextModel(deps, broken.error, failed)
  if (!next) return false
  const { to, skipped } = next
  const { model, user } = failed
  const fallback = { for: user.model, to }
  await journal.commit(retryWrites(deps, broken, retryPart(deps, broken, { fallback })))
  const passed = skipped.map((each) => ` Passed over ${each}`).join("")
  const change = variantChange(next.model, user.variant)
  const changed = change === undefined ? "" : ` ${change}`
  const message = `${messageOf(broken.error)}${passed} Going on with ${modelName(to)} in place of ${modelName(model)}, until the next prompt.${changed}`
  deps.bus.publish("session.notice", { sessionID: broken.message.sessionID, message })
  return true
}
