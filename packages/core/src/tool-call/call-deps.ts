import type { Deadlines } from "../base/deadlines.ts"
import type { CallProcesses } from "../contracts/call-processes.ts"
import type { FileHistory } from "../contracts/file-history.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { Instruction } from "../contracts/workspace.ts"
import type { Generator } from "../generate/generate.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { CallQuestions, CallQuestionsDeps } from "../questions/call-questions.ts"
import type { ChooseDeps } from "../questions/choose.ts"
import type { FilePart, QuestionPart } from "../record/message.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import type { OutputLimits } from "../measure/truncate.ts"
import type { StepContext } from "../request/step-context.ts"
import type { Journal } from "../store/journal.ts"
import type { FileWatcher } from "../undo/watch-files.ts"
import type { Attempt, ToolCallInfo } from "./attempt.ts"
import type { Authorize, AuthorizeDeps } from "./authorize.ts"
import type { LongOutputDeps } from "./long-output.ts"

/** Dependencies of all calls of tools. */
export type Calls = ChooseDeps &
  AuthorizeDeps["calls"] &
  LongOutputDeps["calls"] & {
    /** Decides whether a call may run. */
    readonly authorize: Authorize
    /** Environment of the tools' child processes. */
    readonly environment: Readonly<Record<string, string>>
    readonly processes?: CallProcesses | undefined
    readonly fileHistory?: FileHistory | undefined
  }

export interface ToolCallDeps {
  readonly hooks: Hooks
  readonly store: AuthorizeDeps["store"] & CallQuestionsDeps["store"] & { readonly deadlines: Deadlines }
  readonly calls: Calls
}

/** Facts of a step that its calls read. */
export interface CallContext extends Pick<StepContext, "rootSessionID" | "tools" | "rules" | "workspace"> {
  readonly agent: Pick<StepContext["agent"], "name">
  readonly outputLimits: OutputLimits
}

/** Handles through which a call writes, asks models and subagents, reads the conversation, and is ended. */
export interface CallHandles {
  readonly journal: Journal
  readonly policies: Pick<RepetitionGuard, "onCall"> & Pick<FileWatcher, "watchCall" | "recorded">
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

/** State that the phases of a call share. */
export interface CallInProgress {
  readonly call: ToolCallInfo
  readonly attempt: Attempt
  readonly questions: CallQuestions
  /** Questions of the call before its process died. Missing for a new call. */
  readonly earlier: readonly QuestionPart[] | undefined
}
