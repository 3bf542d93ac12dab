import { isCompactedTooOften } from "./ladder/brake.ts"
import { stays, summaryWrites } from "./ladder/candidate.ts"
import { MOST_CALLS } from "./ladder/limits.ts"
import { canMakeRoom } from "../measure/overflow-policy.ts"
import { callsMade, type CompactionRecord, preparedCompaction } from "../record/compaction-record.ts"
import { messageOf } from "../base/errors.ts"
import type { CompactDeps } from "./compact.ts"
import { type CompactionInput, draftSummary } from "./draft-summary.ts"
import { failureWrites, seenBy } from "./compaction-writes.ts"
import { withStaged } from "../store/history.ts"
import type { Budget } from "../budget/budget.ts"
import { markerWrites, recordOf } from "./marker.ts"
import { fixedTokens } from "../request/message-sizes.ts"
import { nothingSpent } from "../record/spent.ts"

/**
 * Writes a summary while the agent works on. It is stored as prepared, and put into effect when the window is full.
 * One at a time: whoever needs one waits for it.
 */
export interface SummaryInAdvance {
  /** Begins where the request is large enough, and none is there or under way. */
  consider(input: Omit<CompactionInput, "record" | "reason" | "usable" | "signal" | "isLast">): void
  /** Resolves when none is under way. */
  ready(): Promise<void>
  /** Ends what is under way; resolves when it has ended. */
  stop(): Promise<void>
}

/** `budget`: of the run; where it is used up none begins. */
export function createSummaryInAdvance(
  deps: CompactDeps,
  signal: AbortSignal,
  budget: Pick<Budget, "reached">,
): SummaryInAdvance {
  const own = new AbortController()
  const both = AbortSignal.any([signal, own.signal])
  let work: Promise<void> | undefined

  return {
    consider(input) {
      if (work || both.aborted || budget.reached() || !isDue(input)) return
      const usable = input.checked.policy.usable
      work = prepare(deps, { ...input, usable, reason: "soft", signal: both, isLast: false })
        .catch((error: unknown) => {
          // What keeps the journal from writing ends the run by itself.
          if (both.aborted) return
          const message = `A summary could not be prepared: ${messageOf(error)}`
          deps.bus.publish("session.notice", { sessionID: input.history.session.id, message })
        })
        .finally(() => (work = undefined))
    },
    ready: async () => work,
    async stop() {
      own.abort()
      await work
    },
  }
}

function isDue({ history, checked }: Pick<CompactionInput, "history" | "checked">): boolean {
  const { expected, policy } = checked
  if (!policy.auto || expected.tokens < policy.soft || expected.tokens >= policy.hard) return false
  // A summary cannot make room for what is fixed.
  if (!canMakeRoom(fixedTokens(checked), policy.usable)) return false
  // It would not be put into effect.
  if (isCompactedTooOften(history.messages)) return false
  // One that broke off with its process is not paid for twice.
  return preparedCompaction(history.messages) === undefined && callsMade(history.messages) < MOST_CALLS
}

async function prepare(deps: CompactDeps, input: Omit<CompactionInput, "record">): Promise<void> {
  const { history, journal, scene } = input
  const { id: sessionID } = history.session
  const marker = markerWrites(deps, history, scene, { auto: true, prepared: true })
  await journal.commit(marker)
  const record: CompactionRecord = recordOf(marker)
  deps.bus.publish("session.compacting", { sessionID, auto: true, background: true })
  const draft = await draftSummary(deps, { ...input, record }, true)
  const text = draft?.summary.text
  if (!draft || text === undefined) {
    const reason = draft ? (draft.summary.reason ?? "it was of no use") : "a hook did not want one"
    const { spent } = draft?.summary ?? { spent: nothingSpent }
    // What is written below the marker keeps it from being tried again, and the bill of its calls.
    await journal.commit(failureWrites(deps, withStaged(history, marker), draft?.record ?? record, { spent, reason }))
    return
  }
  const { summary, kept, model } = draft
  const { spent } = summary
  const part = { ...draft.record.part, ...stays(kept, seenBy(record, history.messages)) }
  const place = { newest: record.marker.info.id, path: { cwd: scene.directory, root: scene.worktree } }
  const writes = summaryWrites(deps, record, { strategy: "summary", text, model, spent, kept }, place)
  await journal.commit([{ type: "part.put", part }, ...writes])
}
