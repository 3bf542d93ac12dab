import type { Deadlines } from "../base/deadlines.ts"
import type { Authorize, AuthorizeDeps } from "./authorize.ts"
import type { CallQuestions } from "../questions/call-questions.ts"
import type { ChooseDeps } from "../questions/choose.ts"
import type { PermissionRules } from "../permission/rules.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { CallProcesses } from "../contracts/call-processes.ts"
import type { ToolPlace } from "../contracts/tool.ts"
import type { ToolSet } from "../tool-set/tool-set.ts"
import type { Generator } from "../generate/generate.ts"
import type { Journal } from "../store/journal.ts"
import type { Instruction } from "../workspace/instruction-file.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import type { OutputLimits } from "../measure/truncate.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { LongOutputDeps } from "./long-output.ts"
import type { FilePart, QuestionPart, ToolPart } from "../record/message.ts"
import type { Attempt, ToolCallInfo } from "./attempt.ts"
import type { ToolContextDeps } from "./context.ts"

export interface ToolCallDeps extends AuthorizeDeps, ChooseDeps, LongOutputDeps, ToolContextDeps {
  readonly storage: AuthorizeDeps["storage"]
  readonly hooks: Hooks
  readonly deadlines: Deadlines
  readonly processes?: CallProcesses | undefined
  /** Decides whether a call may run. */
  readonly authorize: Authorize
}

/** What the calls of a run have in common. */
export interface ToolCallScene extends ToolPlace {
  readonly journal: Journal
  readonly tools: ToolSet
  readonly agent: string
  readonly rootSessionID: ToolPart["sessionID"]
  readonly rules: PermissionRules
  readonly outputLimits: OutputLimits
  readonly repetition: RepetitionGuard
  /** Instruction files on the way to a file that the model has not read yet; each is given once in a step. */
  readonly entered: (path: string) => Promise<readonly Instruction[]>
  /** A tool's file as it may enter the history. */
  readonly fitted: (file: FilePart) => Promise<FilePart>
  /** Has a subagent work for a call. */
  readonly delegate: Delegate
  /** Has the session's model answer a call. */
  readonly generator: Generator
  readonly signal: AbortSignal
}

/** What the steps of one call share. */
export interface Going {
  readonly call: ToolCallInfo
  readonly attempt: Attempt
  readonly questions: CallQuestions
  /** What it asked before its process died; absent for a call that is new. */
  readonly earlier: readonly QuestionPart[] | undefined
}
