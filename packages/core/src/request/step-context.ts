import type { Agent } from "../agents/agent.ts"
import type { SessionID } from "../base/ids.ts"
import type { Model } from "../contracts/model.ts"
import type { ToolLocation } from "../contracts/tool.ts"
import type { WindowLimits } from "../measure/truncate.ts"
import type { PermissionRules } from "../permission/rules.ts"
import type { ModelRef } from "../record/message.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import type { HeadDecision } from "./context-head.ts"
import type { SystemSources } from "./system-prompt.ts"

/** Facts that steps share while their agent, model and tools stay the same. */
export interface SharedContext {
  readonly rootSessionID: SessionID
  readonly agent: Agent
  readonly model: Model
  /** Models that replace one that has failed, in this order. */
  readonly fallback: readonly ModelRef[]
  /** The model that writes summaries. Default: the model of the step. */
  readonly summaryModel: ModelRef | undefined
  /** Current sources of the system prompt. */
  readonly sources: SystemSources
  readonly tools: ToolSet
  readonly rules: PermissionRules
  readonly workspace: StepWorkspace
  readonly outputLimits: WindowLimits
}

/** Facts of a step, which its request, its calls and its compactions read. */
export interface StepContext extends SharedContext {
  /** Decision about keeping the system prompt that the context began with. */
  readonly head: HeadDecision
  readonly system: readonly string[]
}

export interface StepWorkspace extends ToolLocation {
  /** Instruction files in the system prompt. */
  readonly instructionPaths: readonly string[]
}
