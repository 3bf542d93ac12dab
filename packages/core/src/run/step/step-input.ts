import type { CacheLedger } from "../../cache/cache-monitor.ts"
import type { SummaryInAdvance } from "../../compaction/background-summary.ts"
import type { RoomDeps } from "../../compaction/overflow.ts"
import type { WorkspaceReader } from "../../contracts/workspace.ts"
import type { MediaFitterDeps } from "../../media/media-fitter.ts"
import type { UserMessage } from "../../record/message.ts"
import type { RepetitionGuard } from "../../repetition/repetition-guard.ts"
import type { RetryPolicy } from "../../request/retry.ts"
import type { History } from "../../store/history.ts"
import type { RunScene } from "../../tool-call/run-handles.ts"
import type { FallbackDeps } from "../retry/fallback.ts"
import type { ProcessorDeps, ProcessorScene } from "./processor.ts"

export interface StepDeps extends ProcessorDeps, RoomDeps, MediaFitterDeps, FallbackDeps {
  readonly storage: ProcessorDeps["storage"] & RoomDeps["storage"]
  readonly deadlines: ProcessorDeps["deadlines"] & MediaFitterDeps["deadlines"]
  readonly workspace: WorkspaceReader
  readonly retry: RetryPolicy
  /** Returns a number from 0 to 1. */
  readonly random: () => number
}

export interface StepScene extends RunScene {
  readonly inAdvance: SummaryInAdvance
  readonly repetition: RepetitionGuard
  readonly cacheLedger: CacheLedger
  readonly onEnd: ProcessorScene["onEnd"]
}

export interface StepInput {
  readonly history: History
  readonly user: UserMessage
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Set if a hook has skipped the compaction that is due. */
  readonly isSkipped: boolean
}
