import type { Budget } from "../budget/budget.ts"
import type { LimitReached } from "../budget/limits.ts"
import type { CachedRequest, CacheMonitor } from "../cache/cache-monitor.ts"
import type { BackgroundSummary } from "../compaction/background-summary.ts"
import type { Write } from "../contracts/storage.ts"
import { quarantineAfterFailure, type RefusedRequest } from "../media/quarantine.ts"
import type { MessageWithParts, StepFinishPart, Tokens } from "../record/message.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import { type BrokenAttempt, switchToFallback, type SwitchDeps } from "./retry/broken-attempt.ts"
import type { Failed } from "./retry/fallback.ts"
import type { Journal } from "../store/journal.ts"
import type { FileWatcher } from "../undo/watch-files.ts"

/** The policies of a run. */
export interface PolicyList {
  readonly budget: Budget
  readonly repetition: RepetitionGuard
  readonly cache: CacheMonitor
  readonly summary: BackgroundSummary
  readonly files: FileWatcher
  /** Callbacks of the run's owner. */
  readonly owner: { readonly onSent: () => void; readonly onAnswer: () => void }
}

/** The points of a run at which its policies take part, in the order of a step. */
export interface Policies
  extends
    Pick<RepetitionGuard, "onHistory" | "beforePrompt" | "onText" | "onCall">,
    Pick<FileWatcher, "watchCall" | "recorded"> {
  /** Begins a step, or returns the limit that prevents it. */
  beforeStep(): LimitReached | undefined
  /** Notes an action of the engine that changes the beginning of the next request. */
  note: CacheMonitor["note"]
  beforeCompaction: BackgroundSummary["beforeCompaction"]
  /** The request is complete and stored. */
  beforeSend(request: CachedRequest): void
  onSent(): void
  onAnswer: BackgroundSummary["onAnswer"]
  /** Returns the facts about the cache to store with the end of the step. */
  afterAnswer(usage: Tokens): StepFinishPart["prefix"]
  /** Returns the writes after which the request may succeed. Empty if no policy knows any. */
  afterFailure(error: unknown, request: RefusedRequest): Promise<Write[]>
  /** Returns whether the step continues with another model. */
  beforeGivingUp(journal: Journal, failed: Failed, attempt: BrokenAttempt): Promise<boolean>
  afterStep(): void
  atEnd(): Promise<void>
}

/** Says which policies take part at each point, and in which order. A budget without limits takes part at none. */
export function composePolicies(
  deps: SwitchDeps,
  { budget, repetition, cache, summary, files, owner }: PolicyList,
): Policies {
  const limits = budget.isLimited ? budget : undefined
  let endStep: (() => void) | undefined
  return {
    onHistory: (messages: readonly MessageWithParts[]) => repetition.onHistory(messages),
    beforeStep() {
      const reached = limits?.reached()
      if (!reached) endStep = limits?.beginStep()
      return reached
    },
    beforePrompt: () => repetition.beforePrompt(),
    note: (mechanism) => cache.note(mechanism),
    beforeCompaction: () => summary.beforeCompaction(),
    beforeSend: (request) => cache.beforeSend(request),
    onSent() {
      owner.onSent()
      files.onSent()
    },
    watchCall: (call) => files.watchCall(call),
    recorded: (part) => files.recorded(part),
    onAnswer(run, request) {
      owner.onAnswer()
      summary.onAnswer(run, request)
      cache.onAnswer()
    },
    onText: () => repetition.onText(),
    onCall: (tool, args, reply) => repetition.onCall(tool, args, reply),
    afterAnswer: (usage) => cache.afterAnswer(usage),
    afterFailure: (error, request) => quarantineAfterFailure(error, request, deps.store.now),
    beforeGivingUp: (journal, failed, attempt) => switchToFallback(deps, journal, failed, attempt),
    afterStep() {
      endStep?.()
      endStep = undefined
    },
    async atEnd() {
      cache.atEnd()
      await summary.atEnd()
      await files.settled()
    },
  }
}
