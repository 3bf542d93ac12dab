import { isRequest } from "../record/request-order.ts"
import type { Candidate } from "./ladder/candidate.ts"
import { extractSummary } from "./ladder/extract.ts"
import { madeRoom, MAX_LAST_SHARE } from "./ladder/limits.ts"
import type { MessageID } from "../base/ids.ts"
import type { Write } from "../contracts/storage.ts"
import { isSkippable, skipsReset, skipWrites } from "./compaction-skips.ts"
import { candidateWrites, continuation, failureWrites, type WritesDeps } from "./compaction-writes.ts"
import {
  type CompactionHandles,
  type CompactionInput,
  type Draft,
  type DraftDeps,
  draftSummary,
} from "./draft-summary.ts"
import { movedBehind } from "../inbox/deliver.ts"
import { catchUp, withStaged } from "../store/history.ts"
import type { Store } from "../store/store.ts"
import type { MessageWithParts } from "../record/message.ts"
import { checkPrompt } from "../request/preflight.ts"

export interface CompactDeps extends DraftDeps, WritesDeps {
  readonly requests: DraftDeps["requests"]
  readonly store: Pick<Store, "storage" | "bus" | "ids" | "now">
}

export type CompactOutcome =
  /** `goesOn`: the agent continues its work. */
  | { readonly type: "applied"; readonly goesOn: boolean }
  /** A hook skipped the compaction. */
  | { readonly type: "skipped" }
  /** No rung made enough room. The attempts are stored with the marker. */
  | { readonly type: "failed"; readonly reason: string }

/**
 * Climbs down the ladder: a summary by a hook or a model, else an extract, else the tail alone. Applies the first
 * candidate that makes room, in one commit. Rejects only if the signal aborts or the journal cannot write.
 */
export async function compact(
  deps: CompactDeps,
  run: CompactionHandles,
  input: CompactionInput,
): Promise<CompactOutcome> {
  const { history, record } = input
  const { sessionID } = record.marker.info
  deps.store.bus.publish("session.compacting", { sessionID, auto: record.part.auto, background: false })
  const draft = await draftSummary(deps, run, input, isSkippable(input))
  if (!draft) {
    await run.journal.commit(skipWrites(input))
    return { type: "skipped" }
  }
  for (const candidate of candidates(draft, record.part.auto)) {
    const goesOn = await tryCandidate(deps, run, { ...input, record: draft.record }, candidate)
    if (goesOn !== undefined) return { type: "applied", goesOn }
  }
  const { summary, head } = draft
  const why = summary.reason ?? "the summary did not make enough room"
  const reason = head.length === 0 && !record.part.auto ? "there is nothing to summarize" : why
  await run.journal.commit(failureWrites(deps.store, history, draft.record, { ...summary, reason }))
  return { type: "failed", reason }
}

function* candidates(
  { talk, head, prior, kept, summary, model, budget, tokensOf, longestRequest, unread }: Draft,
  isNeeded: boolean,
): Generator<Candidate> {
  const { spent, reason } = summary
  const bill = { model, spent }
  const extract = (messages: readonly MessageWithParts[], size: number) => {
    return extractSummary({ messages, prior, tokensOf, budget: size })
  }
  const { text } = summary
  const isKept = kept.ids.length > 0
  const unkept = { tail: kept.tail, ids: [], messages: [] }
  if (text !== undefined) {
    yield { strategy: "summary", text, kept, ...bill }
    // If the messages that a hook keeps take too much room, the summary is still used, with an extract of them.
    if (isKept)
      yield { strategy: "summary", text: `${text}\n\n${extract(kept.messages, budget / 3)}`, kept: unkept, ...bill }
  }
  if (head.length > 0) yield { strategy: "extract", text: extract(head, budget), reason, kept, ...bill }
  if (!isNeeded) return
  if (isKept)
    yield {
      strategy: "extract",
      text: extract(talk.slice(0, -kept.tail.length || undefined), budget),
      reason,
      kept: unkept,
      ...bill,
    }
  const newest = talk.slice(Math.min(unread, talk.length - 1))
  const tails = mayDrop(talk.slice(unread)) ? [newest, []] : [newest]
  const alone = (tail: readonly MessageWithParts[]): Candidate => {
    const text = extract(talk.slice(0, talk.length - tail.length), budget / 5)
    return { strategy: "tail", text, reason, kept: { tail, ids: [], messages: [] }, ...bill }
  }
  for (const tail of tails) yield alone(tail)
  // A request that does not fit on its own is shortened, instead of left out.
  yield { ...alone(tails.at(-1) ?? []), longestRequest }
}

/**
 * Returns whether unread messages may be dropped. Results that no request has carried stay, because the model would
 * call again. A later request of the user makes them droppable.
 */
function mayDrop(unread: readonly MessageWithParts[]): boolean {
  return unread.length === 0 || unread.some((message) => isRequest(message))
}

/**
 * Applies the candidate, in one commit with `more`. Resolves with whether the agent continues. Resolves with undefined,
 * and writes nothing, if the candidate would not make enough room.
 */
export async function tryCandidate(
  deps: CompactDeps,
  run: CompactionHandles,
  input: CompactionInput,
  candidate: Candidate,
  more: readonly Write[] = [],
): Promise<boolean | undefined> {
  const { journal, signal } = run
  const { record, history, usable } = input
  const writes = await candidateWrites(deps, input, record, candidate)
  const goOn = continuation(deps, history, candidate.kept.tail)
  const after = await tokensAfter(deps, input, signal, [...writes, ...(goOn?.(writes) ?? [])])
  const isEnough = candidate.longestRequest === undefined ? hasMadeRoom(input, after) : after <= usable * MAX_LAST_SHARE
  if (!isEnough) return undefined
  const goesOn = goOn === undefined || input.isLast || (await mayContinue(deps, input, signal))
  const applied = [...writes, ...(goesOn && goOn ? goOn(writes) : []), ...skipsReset(history.session), ...more]
  // Waiting prompts move behind the boundary. If one was withdrawn since the read, read again.
  for (let isWritten = false; !isWritten;) {
    const moved = movedBehind(deps.store, boundaryOf(writes), await catchUp(deps.store, history))
    if (moved.length === 0) await journal.commit(applied)
    isWritten = moved.length === 0 || (await journal.attempt([...moved, ...applied]))
  }
  announce(deps, input, candidate, after)
  return goesOn
}

/** Returns the start of the context after these writes. */
function boundaryOf(writes: readonly Write[]): MessageID | undefined {
  for (const write of writes)
    if (write.type === "session.patch" && write.changes.boundary) return write.changes.boundary
  return undefined
}

/** Returns whether the request is small enough. A compaction that the user asked for only has to make it smaller. */
function hasMadeRoom({ record, checked, usable }: CompactionInput, after: number): boolean {
  // `after` is an estimate from text, so compare it with the estimate of the request as well.
  const before = Math.max(checked.expected.tokens, checked.estimate)
  return record.part.auto ? madeRoom(before, after, usable) : after < before && after <= usable
}

async function mayContinue(
  { hooks }: CompactDeps,
  { context, history, record }: CompactionInput,
  signal: AbortSignal,
): Promise<boolean> {
  const { agent, model, rootSessionID } = context
  const about = { sessionID: history.session.id, rootSessionID, agent: agent.name, model: model.ref }
  const input = { ...about, overflow: record.part.overflow === true }
  return (await hooks.transform("compaction.autocontinue", input, { enabled: true }, signal)).enabled
}

async function tokensAfter(
  deps: CompactDeps,
  { context, history, record }: CompactionInput,
  signal: AbortSignal,
  writes: readonly Write[],
): Promise<number> {
  const after = withStaged(history, writes)
  const next = { context, history: after, user: record.marker.info, isLastStep: false, signal }
  return (await checkPrompt(deps, next)).expected.tokens
}

function announce(
  { store, hooks, requests }: CompactDeps,
  { context, history, record, checked }: CompactionInput,
  { strategy, reason, spent: { cost }, kept }: Candidate,
  after: number,
): void {
  const { talk } = requests.arrange(history.messages)
  const stays = new Set([...kept.tail.map(({ info }) => info.id), ...kept.ids])
  const dropped = talk.flatMap(({ info }) => (stays.has(info.id) ? [] : [info.id]))
  const compacted = {
    ...{ sessionID: history.session.id, rootSessionID: context.rootSessionID, auto: record.part.auto, strategy, cost },
    ...{ before: checked.expected.tokens, after, dropped },
    ...(reason === undefined ? {} : { reason }),
  }
  store.bus.publish("session.compacted", compacted)
  void hooks.observe("session.compacted", compacted)
}
