import { isCompactedTooOften } from "./ladder/brake.ts"
import { stays, summaryWrites } from "./ladder/candidate.ts"
import { MAX_CALLS } from "./ladder/limits.ts"
import { canMakeRoom } from "../measure/overflow-policy.ts"
import { callsMade, type CompactionRecord, preparedCompaction } from "../record/compaction-record.ts"
import { messageOf } from "../base/errors.ts"
import type { CompactDeps } from "./compact.ts"
import { type CompactionHandles, type CompactionInput, draftSummary } from "./draft-summary.ts"
import { failureWrites, seenBy } from "./compaction-writes.ts"
import { withStaged } from "../store/history.ts"
import type { Budget } from "../budget/budget.ts"
import { markerWrites, recordOf } from "./marker.ts"
import { fixedTokens } from "../request/message-sizes.ts"
import { nothingSpent } from "../record/spent.ts"

/**
 * Writes a summary in the background, while the agent works. The summary is stored as prepared, and applied when the
 * window is full. Writes one summary at a time; a compaction waits for it.
 */
export interface BackgroundSummary {
  /** Begins a summary if the request is large enough, and no summary is prepared or being written. */
  onAnswer(
    run: Omit<CompactionHandles, "signal">,
    request: Pick<CompactionInput, "context" | "history" | "checked">,
  ): void
  /** Resolves when no summary is being written. */
  beforeCompaction(): Promise<void>
  /** Aborts a summary that is being written. Resolves when it has ended. */
  atEnd(): Promise<void>
}

/** Creates the background summary of a run. No summary begins if the run's `budget` is used up. */
export function createBackgroundSummary(
  deps: CompactDeps,
  signal: AbortSignal,
  budget: Pick<Budget, "reached">,
): BackgroundSummary {
  const own = new AbortController()
  const both = AbortSignal.any([signal, own.signal])
  let work: Promise<void> | undefined

  return {
    onAnswer(run, request) {
      if (work || both.aborted || budget.reached() || !isDue(request)) return
      const { usable } = request.checked.policy
      work = prepare(deps, { ...run, signal: both }, { ...request, usable, reason: "soft", isLast: false })
        .catch((error: unknown) => {
          // A journal that cannot write ends the run itself.
          if (both.aborted) return
          const message = `A summary could not be prepared: ${messageOf(error)}`
          deps.store.bus.publish("session.notice", { sessionID: request.history.session.id, message })
        })
        .finally(() => (work = undefined))
    },
    beforeCompaction: async () => work,
    async atEnd() {
      own.abort()
      await work
    },
  }
}

function isDue({ history, checked }: Pick<CompactionInput, "history" | "checked">): boolean {
  const { expected, policy } = checked
  if (!policy.auto || expected.tokens < policy.soft || expected.tokens >= policy.hard) return false
  // A summary cannot shrink the fixed parts.
  if (!canMakeRoom(fixedTokens(checked), policy.usable)) return false
  // The summary would not be applied.
  if (isCompactedTooOften(history.messages)) return false
  // A summary that ended with its process is not paid for twice.
  return preparedCompaction(history.messages) === undefined && callsMade(history.messages) < MAX_CALLS
}

async function prepare(
  deps: CompactDeps,
  run: CompactionHandles,
  input: Omit<CompactionInput, "record">,
): Promise<void> {
  const { journal } = run
  const { history, context } = input
  const { agent, workspace } = context
  const { id: sessionID } = history.session
  const marker = markerWrites(
    deps.store,
    history,
    { agent: agent.name, model: context.model.ref },
    { auto: true, prepared: true },
  )
  await journal.commit(marker)
  const record: CompactionRecord = recordOf(marker)
  deps.store.bus.publish("session.compacting", { sessionID, auto: true, background: true })
  const draft = await draftSummary(deps, run, { ...input, record }, true)
  const text = draft?.summary.text
  if (!draft || text === undefined) {
    const reason = draft ? (draft.summary.reason ?? "it was of no use") : "a hook did not want one"
    const { spent } = draft?.summary ?? { spent: nothingSpent }
    // The failure below the marker prevents a retry, and keeps the usage of the calls.
    await journal.commit(
      failureWrites(deps.store, withStaged(history, marker), draft?.record ?? record, { spent, reason }),
    )
    return
  }
  const { summary, kept, model } = draft
  const { spent } = summary
  const part = { ...draft.record.part, ...stays(kept, seenBy(record, history.messages)) }
  const path = { cwd: workspace.directory, root: workspace.worktree }
  const candidate = { strategy: "summary", text, model, spent, kept } as const
  const writes = summaryWrites(deps.store, record, candidate, { newest: record.marker.info.id, path })
  await journal.commit([{ type: "part.put", part }, ...writes])
}
