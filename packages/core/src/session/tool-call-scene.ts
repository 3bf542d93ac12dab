import type { Deadlines } from "../deadlines.ts"
import type { Authorize, AuthorizeDeps } from "../permission/authorize.ts"
import type { CallQuestions } from "../permission/call-questions.ts"
import type { ChooseDeps } from "../permission/choose.ts"
import type { PermissionRules } from "../permission/rules.ts"
import type { Delegate } from "../subagent/delegate.ts"
import type { CallProcesses } from "../tool/call-processes.ts"
import type { ToolPlace } from "../tool/tool.ts"
import type { ToolSet } from "../tool/tool-set.ts"
import type { Generator } from "./generate.ts"
import type { Journal } from "./journal.ts"
import type { Instruction } from "../context/instructions/instruction-file.ts"
import type { RepetitionGuard } from "./repetition-guard.ts"
import type { OutputLimits } from "../tool/truncate.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { LongOutputDeps } from "./long-output.ts"
import type { FilePart, QuestionPart, ToolPart } from "./message.ts"
import type { Attempt, ToolCallInfo } from "./tool-call-attempt.ts"
import type { ToolContextDeps } from "./tool-call-context.ts"

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
