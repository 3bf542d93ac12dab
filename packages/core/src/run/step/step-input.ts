import type { OverflowDeps } from "../../compaction/overflow.ts"
import type { WorkspaceReader } from "../../contracts/workspace.ts"
import type { StepPermit } from "../../budget/step-permits.ts"
import type { Models } from "../../request/request-deps.ts"
import type { StepContext } from "../../request/step-context.ts"
import type { UserMessage } from "../../record/message.ts"
import type { History } from "../../store/history.ts"
import type { Store } from "../../store/store.ts"
import type { CallHandles, Calls } from "../../tool-call/call-deps.ts"
import type { RunHandles } from "../../tool-call/run-handles.ts"
import type { Policies } from "../policies.ts"

export interface StepDeps {
  readonly hooks: OverflowDeps["hooks"]
  readonly store: Store
  readonly models: Models
  readonly requests: OverflowDeps["requests"]
  readonly calls: Calls
  readonly workspace: WorkspaceReader
}

/** Handles of a step without a request of its own, whose calls come from a user or a dead owner. */
export interface WorkHandles extends RunHandles, Pick<CallHandles, "entered" | "fitted"> {
  readonly policies: Policies
}

export interface StepHandles extends WorkHandles {
  readonly permit: StepPermit
}

/** Facts with which a step begins. */
export interface StepInput {
  readonly context: StepContext
  readonly history: History
  readonly user: UserMessage
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Set if a hook has skipped the compaction that is due. */
  readonly isSkipped: boolean
}
