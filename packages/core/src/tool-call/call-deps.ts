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
import type { Instruction } from "../contracts/workspace.ts"
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

/** Facts and handles that the calls of a run share. */
export interface ToolCallScene extends ToolPlace {
  readonly journal: Journal
  readonly tools: ToolSet
  readonly agent: string
  readonly rootSessionID: ToolPart["sessionID"]
  readonly rules: PermissionRules
  readonly outputLimits: OutputLimits
  readonly repetition: RepetitionGuard
  /** Returns instruction files on the way to a file that the model has not read yet, each file once in a step. */
  readonly entered: (path: string) => Promise<readonly Instruction[]>
  /** Returns a tool's file in a form that may enter the history. */
  readonly fitted: (file: FilePart) => Promise<FilePart>
  /** Makes a subagent do the work of a call. */
  readonly delegate: Delegate
  /** Makes the session's model answer a call. */
  readonly generator: Generator
  readonly signal: AbortSignal
}

/** State that the steps of a call share. */
export interface Going {
  readonly call: ToolCallInfo
  readonly attempt: Attempt
  readonly questions: CallQuestions
  /** Questions of the call before its process died. Missing for a new call. */
  readonly earlier: readonly QuestionPart[] | undefined
}
