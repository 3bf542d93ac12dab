import { isCompactedTooOften } from "./ladder/brake.ts"
import { madeRoom } from "./ladder/limits.ts"
import { canMakeRoom } from "../measure/overflow-policy.ts"
import { compactionsOf, type CompactionRecord, preparedCompaction } from "../record/compaction-record.ts"
import { usableAfterRefusal } from "../measure/after-refusal.ts"
import { largestAccepted } from "../measure/largest-accepted.ts"
import { isPruneWorthwhile } from "./prune/worthwhile.ts"
import { unlessAborted } from "../base/deadlines.ts"
import { messageOf, type ProviderError } from "../base/errors.ts"
import { compactedTooOften, overflow } from "./context-overflow.ts"
import { whileCompacting } from "./compacting-time.ts"
import { compact, type CompactOutcome, tryCandidate } from "./compact.ts"
import { type CutResultsDeps, fitUnread } from "./cut-results.ts"
import type { CompactionHandles, CompactionInput } from "./draft-summary.ts"
import { failureWrites } from "./compaction-writes.ts"
import { catchUp, type History, type HistoryDeps } from "../store/history.ts"
import type { Write } from "../contracts/storage.ts"
import { isSameModel, isUser, type MessageWithParts, type UserMessage } from "../record/message.ts"
import { markerWrites } from "./marker.ts"
import { fixedTokens } from "../request/message-sizes.ts"
import { type Checked, checkPrompt } from "../request/preflight.ts"
import { preparedCandidates } from "./prepared-candidates.ts"
import { prunable, prune, type PruneDeps, type PruneInput } from "./prune.ts"
import type { StepContext } from "../request/step-context.ts"
import { nothingSpent } from "../record/spent.ts"

export interface OverflowDeps extends PruneDeps, CutResultsDeps {
  readonly store: PruneDeps["store"] & CutResultsDeps["store"]
  readonly requests: PruneDeps["requests"]
  readonly calls: PruneDeps["calls"] & CutResultsDeps["calls"]
}

/** Handles of a compaction in the foreground, which waits for the one in the background. */
export interface OverflowHandles extends CompactionHandles {
  readonly policies: { readonly beforeCompaction: () => Promise<void> }
}

export interface OverflowInput extends PruneInput {
  /** Set if the provider refused the request because it does not fit. */
  readonly refusal?: ProviderError
}

/**
 * Makes the next request smaller: applies a prepared summary, else clears old outputs, else requests a compaction,
 * which the loop then finds in the history. Resolves with whether the run continues. Rejects with ContextOverflowError
 * if nothing is allowed or nothing helps.
 */
export async function makeRoom(deps: OverflowDeps, run: OverflowHandles, input: OverflowInput): Promise<boolean> {
  const { journal, signal } = run
  const { checked, context, refusal, user } = input
  const { policy } = checked
  const usable = refusal ? afterRefusal(input, refusal) : policy.usable
  if (!policy.auto) throw overflow(checked, usable, AUTO_IS_OFF)
  if (!canMakeRoom(fixedTokens(checked), usable)) throw overflow(checked, usable, FIXED_IS_TOO_MUCH)

  // Cuts cost nothing, and a compaction keeps all messages that no request has carried.
  const cuts = await fitUnread(deps, context, { history: input.history, checked, usable }, signal)
  if (cuts.length > 0) {
    await journal.commit(cuts)
    return true
  }
  await unlessAborted(signal, run.policies.beforeCompaction())
  const history = await catchUp(deps.store, input.history)
  const isTooOften = isCompactedTooOften(history.messages)
  const prepared = preparedCompaction(history.messages)
  if (!isTooOften && prepared?.summary && prepared.summary.info.error === undefined) {
    const about = { ...input, history, usable, record: prepared, reason: "full" as const, isLast: false }
    for (const candidate of preparedCandidates(deps.requests, about)) {
      const goesOn = await tryCandidate(deps, run, about, candidate)
      if (goesOn !== undefined) return goesOn
    }
  }
  if (policy.prune) {
    const about = { ...input, history }
    const isEnough = (before: number, after: number) => madeRoom(before, after, usable)
    if (await prune(deps, run, about, prunable(deps, about), isEnough)) return true
  }
  if (isTooOften)
    throw compactedTooOften(checked, usable, { ...deps.requests.arrange(history.messages), model: context.model })
  const failed = compactionsOf(history.messages).findLast(({ part }) => part.prepared !== true)
  if (failed && failed.summary?.info.error && failed.marker.info.id > user.id) {
    throw overflow(checked, usable, failed.summary.info.error.data.message)
  }
  const request = { auto: true, ...(refusal ? { overflow: true, usable } : {}) }
  const by = { agent: context.agent.name, model: context.model.ref }
  await journal.commit(markerWrites(deps.store, history, by, request))
  return true
}

/** Returns the usable tokens after a refusal. Uses estimates throughout, as for the texts that a compaction keeps. */
function afterRefusal({ checked, history, context }: OverflowInput, { details }: ProviderError): number {
  const { estimate, policy, calibration } = checked
  const { limit, requested } = details
  return usableAfterRefusal({
    ...{ expected: estimate, usable: policy.usable, reserve: policy.reserve, limit, requested },
    accepted: largestAccepted(history.messages, context.model.ref) / calibration.bytesPerToken,
  })
}

const AUTO_IS_OFF =
  "Automatic compaction is switched off (compaction.auto). Shorten the conversation with `pawl session compact`, or switch it on."
const FIXED_IS_TOO_MUCH =
  "The system prompt, the instructions and the tools take most of it, and those cannot be compacted: shorten the instruction files, offer fewer tools, or choose a model with a larger window."

/** Handles of a run that makes a compaction, before the facts of the compaction are known. */
export interface PendingHandles extends OverflowHandles {
  readonly contextFor: (user: UserMessage) => Promise<StepContext>
}

export interface PendingCompaction {
  readonly history: History
  readonly record: CompactionRecord
  /** Set if the run ends after the compaction. */
  readonly isLast: boolean
}

/** Makes a compaction that was found in the history. */
export async function compactPending(
  deps: OverflowDeps,
  run: PendingHandles,
  { history: opened, record, isLast }: PendingCompaction,
): Promise<CompactOutcome> {
  const { journal, signal } = run
  const { info } = record.marker
  const { auto } = record.part
  await unlessAborted(signal, run.policies.beforeCompaction())
  const history = await catchUp(deps.store, opened)
  const { conversation } = deps.requests.arrange(history.messages)
  // The compaction may not be needed any more, after a change of the model or of a setting.
  const asker = auto ? (conversation.findLast((message) => isUser(message))?.info ?? info) : info
  let context: StepContext
  try {
    context = await run.contextFor(asker)
  } catch (error) {
    // The agent or model does not exist any more. Fail the compaction, so that it does not block the session.
    signal.throwIfAborted()
    const reason = messageOf(error)
    await journal.commit(failureWrites(deps.store, history, record, { spent: nothingSpent, reason }))
    return { type: "failed", reason }
  }
  const checked = await checkPrompt(deps, { context, history, user: asker, isLastStep: false, signal })
  if (auto && !isStillNeeded(record, checked, context)) {
    await journal.commit(withdrawWrites(deps, history, record))
    return { type: "skipped" }
  }
  const isRefused = record.part.overflow === true
  const usable = isRefused ? usableOf(record, checked) : checked.policy.usable
  const reason = auto ? (isRefused ? "refused" : "full") : "asked"
  const input = { context, history, checked, isLast, record, usable, reason } as const
  const joined = auto || record.part.focus ? undefined : await joinPrepared(deps, run, input)
  if (joined) return joined
  return whileCompacting({ journal, now: deps.store.now }, () => compact(deps, run, input)).catch(
    async (error: unknown) => {
      // Aborting a requested compaction withdraws it.
      if (signal.aborted && !auto) await journal.commit([{ type: "message.remove", messageID: info.id }])
      throw error
    },
  )
}

/** Returns the usable tokens after a refusal. Markers of earlier versions have no `usable`. */
function usableOf({ part }: CompactionRecord, { policy, expected }: Checked): number {
  return Math.min(policy.usable, part.usable ?? expected.tokens)
}

/**
 * Returns the writes that remove the marker. If calls were made for it, the marker fails instead, so they stay counted.
 */
function withdrawWrites(deps: OverflowDeps, history: History, record: CompactionRecord): Write[] {
  if (!record.part.calls) return [{ type: "message.remove", messageID: record.marker.info.id }]
  return failureWrites(deps.store, history, record, { spent: nothingSpent, reason: "it is not needed any more" })
}

/** Returns the writes that withdraw a compaction interrupted by a prompt. The next step requests it again if needed. */
export async function interruptedWrites(
  deps: HistoryDeps,
  opened: History,
  { marker }: CompactionRecord,
): Promise<Write[]> {
  const { id } = marker.info
  const { messages } = await catchUp(deps, opened)
  const isPending = compactionsOf(messages).some((each) => each.marker.info.id === id && !each.summary)
  return isPending ? [{ type: "message.remove", messageID: id }] : []
}

/** Returns whether an automatic compaction is still needed. A refusal only counts for the model that was refused. */
function isStillNeeded(
  { marker, part }: CompactionRecord,
  { expected, policy }: Checked,
  { model }: StepContext,
): boolean {
  if (!policy.auto) return false
  const isSame = isSameModel(marker.info.model, model.ref)
  return (part.overflow === true && isSame) || expected.tokens >= policy.soft
}

/** Applies a prepared summary instead of the requested compaction, if there is one that fits. */
async function joinPrepared(
  deps: OverflowDeps,
  run: CompactionHandles,
  input: CompactionInput,
): Promise<CompactOutcome | undefined> {
  const { history, record } = input
  const earlier = history.messages.filter(({ info }) => info.id !== record.marker.info.id)
  const prepared = preparedCompaction(earlier)
  if (!prepared?.summary || prepared.summary.info.error) return undefined
  const requested = { ...prepared, part: { ...prepared.part, auto: false } }
  const settled = { type: "message.remove", messageID: record.marker.info.id } as const
  const about = { ...input, record: requested }
  for (const candidate of preparedCandidates(deps.requests, about)) {
    const goesOn = await tryCandidate(deps, run, about, candidate, [settled])
    if (goesOn !== undefined) return { type: "applied", goesOn }
  }
  return undefined
}

/** Clears old outputs at the beginning of a run if the savings exceed the cost for the provider's cache. */
export async function pruneIfWorthwhile(
  deps: OverflowDeps,
  run: CompactionHandles,
  input: PruneInput,
): Promise<boolean> {
  const { history, checked, context } = input
  if (!checked.policy.prune) return false
  const selection = prunable(deps, input)
  if (selection.parts.length === 0) return false
  const answered = lastAnswered(history.messages)
  const decision = isPruneWorthwhile({
    ...{ selection, isDue: false, cacheTTL: checked.policy.cacheTTL, cost: context.model.info.cost },
    furtherSteps: EXPECTED_STEPS,
    sinceAnswer: answered === undefined ? undefined : deps.store.now() - answered,
  })
  return decision.prune && prune(deps, run, input, selection, () => true)
}

/** Number of steps of a turn, as a guess before it begins. */
const EXPECTED_STEPS = 8

function lastAnswered(messages: readonly MessageWithParts[]): number | undefined {
  for (const { info } of messages.toReversed()) {
    if (info.role === "assistant" && info.time.completed !== undefined) return info.time.completed
  }
  return undefined
}
