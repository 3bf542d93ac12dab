import type { CompactOutcome } from "./compact.ts"
import type { CacheLedger } from "./cache-ledger.ts"
import { catchUp, type History, withStaged } from "./history.ts"
import type { Journal } from "./journal.ts"
import type { AssistantMessage, MessageWithParts } from "./message.ts"
import { nextAction } from "./next-action.ts"
import type { SummaryInAdvance } from "./prepare-summary.ts"
import type { RepetitionGuard } from "./repetition-guard.ts"
import { respond, type RespondDeps } from "./respond.ts"
import { compactPending, type RoomDeps } from "./room.ts"
import type { SceneSource } from "./scene.ts"

export type LoopEnd =
  /** `answer` is absent where nothing was asked. */
  | { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> }
  /** The agent may take no more steps, although the work asks for one. */
  | { readonly type: "steps-spent"; readonly steps: number }
  /** A compaction that was asked for, or after which nobody wants to go on. */
  | { readonly type: "compacted"; readonly outcome: CompactOutcome }

export type LoopDeps = RespondDeps & RoomDeps

export interface LoopRun {
  readonly scene: SceneSource
  readonly journal: Journal
  readonly inAdvance: SummaryInAdvance
  readonly repetition: RepetitionGuard
  readonly cacheLedger: CacheLedger
  readonly signal: AbortSignal
  /** Nothing but a compaction was asked for. */
  readonly only: boolean
}

/** Catch up, decide, act, until the stored messages ask for nothing more. The end of a step is committed with the next action. */
export async function runLoop(deps: LoopDeps, run: LoopRun, opened: History): Promise<LoopEnd> {
  const { inAdvance, repetition, cacheLedger } = run
  let history = opened
  let steps = 0
  // A hook that skips a compaction lets one request through.
  let isSkipped = false
  for (;;) {
    // Taken before the wait: what is committed meanwhile may be missing from what is read.
    const { staged } = run.journal
    history = withStaged(await catchUp(deps, history), staged)
    run.repetition.see(history.messages)
    const action = nextAction(history.messages)
    switch (action.type) {
      case "stop":
        await run.journal.commit([])
        return action
      case "compact": {
        const outcome = await compactPending(deps, { ...run, isLast: run.only }, history, action.record)
        isSkipped = outcome.type === "skipped"
        if (run.only || (outcome.type === "applied" && !outcome.goesOn)) return { type: "compacted", outcome }
        break
      }
      case "respond": {
        run.signal.throwIfAborted()
        if (run.only) return { type: "stop" }
        const scene = await run.scene(action.user.info)
        const most = scene.settings.steps ?? Infinity
        if (steps >= most) {
          await run.journal.commit([])
          return { type: "steps-spent", steps: most }
        }
        const step = { history, user: action.user.info, isFirst: steps === 0, isLast: steps + 1 === most, isSkipped }
        const outcome = await respond(deps, { ...scene, inAdvance, repetition, cacheLedger }, step)
        if (outcome === "compacted") return { type: "compacted", outcome: { type: "applied", goesOn: false } }
        if (outcome === "done") {
          steps++
          isSkipped = false
        }
      }
    }
  }
}
