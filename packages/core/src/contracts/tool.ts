import type { MessageID, SessionID } from "../base/ids.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { FileContent, FinishReason, TextContent } from "./model.ts"
import type { PermissionAction, Choice, ModelRef, Tokens } from "../record/message.ts"
import type { BlobStore } from "./storage.ts"

/**
 * What repeating a call does: nothing at all, the same again, or something else. A `pure` or `idempotent` call that was
 * interrupted by a crash runs again when its session is continued, twice at most; an `unsafe` call never does. A call is
 * `idempotent` only if this holds after any part of the first run.
 */
export type Effect = "pure" | "idempotent" | "unsafe"

export interface Tool<Input = unknown> extends LoopTraits {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JSONObject
  readonly effect: Effect
  /** Which end of a long output the model sees; absent means the head. */
  readonly keep?: "head" | "tail"
  /** Milliseconds without progress after which a call ends; absent: as all tools, 0: never. */
  readonly deadline?: number
  /**
   * A call that was interrupted is run again when its session goes on, with the same `idempotencyKey`, in place of being
   * told to the model as interrupted.
   */
  readonly resumable?: boolean
  /**
   * Set if a call does its work in processes that have `context.env()` as their environment. After a crash these are
   * ended before the session is continued, and the model reads that the call was stopped.
   */
  readonly worksInProcesses?: boolean
  /** The permission that every call needs; absent: the tool's name. Where rules deny it altogether, no model is offered the tool. */
  readonly permission?: string
  /**
   * May stand behind a tool that searches where the definitions take too much room. Its name never takes that of
   * another tool.
   */
  readonly deferrable?: boolean
  /** Throws ToolInputError with a text that lets the model correct itself. */
  parse(input: unknown): Input
  /** What must be allowed before the call runs. Absent or empty: permission `name`, pattern `*`. */
  permissions?(input: Input, context: ToolPlace): Promise<readonly PermissionNeed[]> | readonly PermissionNeed[]
  /** A thrown error becomes the call's error, which the model reads. Ends soon after `context.signal` aborts. */
  execute(input: Input, context: ToolContext): Promise<ToolResult>
}

/** Where a tool works. Both are absolute; `worktree` is the git work tree's root, or the directory outside of git. */
export interface ToolPlace {
  readonly directory: string
  readonly worktree: string
  /** The session that calls; absent where a call is only thought of, as by `pawl permissions why`. */
  readonly sessionID?: SessionID
}

export interface ToolContext extends ToolPlace {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  readonly callID: string
  readonly agent: string
  /** The same for each execution of this call: `sessionID/messageID/callID`. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** Whether the model may hand work to a subagent without asking. */
  readonly canDelegate: boolean
  readonly blobs: BlobStore
  /** What a child process gets as its environment; hooks have added to it. */
  env(): Promise<Readonly<Record<string, string>>>
  readonly files: FileRecorder
  /** Says of files what a `read` of each would come to: for tools that come upon files which nobody named. */
  judgeReads(): Promise<JudgeRead>
  /** Asks the user; resolves with what was chosen for each. Rejects where nobody answers: what the model reads of it. */
  ask(questions: readonly Choice[]): Promise<readonly (readonly string[])[]>
  /** Asks for what the call turns out to need. Rejects as a call that is refused does: let it pass. */
  authorize(need: PermissionNeed): Promise<void>
  /**
   * One answer of the session's model, without tools. Counts towards the run's limits and the session's cost; asks
   * nobody. Rejects where a limit is reached, and with ProviderError.
   */
  generate(request: GenerateRequest): Promise<Generated>
  /** Has an agent work on a task in a session below this one. Rejects before anything begins where it may not. */
  delegate(task: SubagentTask): Promise<SubagentResult>
  /** Shows progress: published at once, stored with the result. */
  progress(update: { readonly title?: string; readonly metadata?: JSONObject }): void
}

/** `names`: those that the file has, relative to the worktree: as it was found, and with links resolved. */
export type JudgeRead = (names: readonly string[]) => PermissionAction

export interface GenerateRequest {
  readonly system?: string
  readonly messages: readonly {
    readonly role: "user" | "assistant"
    readonly content: readonly (TextContent | FileContent)[]
  }[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
  /** The answer is to be JSON of this form. */
  readonly schema?: JSONObject
}

export interface Generated {
  readonly text: string
  /** What the text says, where there is a schema: it fits. */
  readonly json?: JSONValue
  readonly finish: FinishReason
  readonly model: ModelRef
}

/** Records with a call what files held before it changed them, and after. Paths are absolute, links resolved. */
export interface FileRecorder {
  /**
   * Durable when it resolves: call it before the first byte is written. `bytes` is undefined where there is no file. Of
   * several calls for one path the first counts.
   */
  before(path: string, bytes: Uint8Array | undefined, mode?: number): Promise<void>
  /** Stored with the call's result. `bytes` is undefined where there is no file any more. The last call for a path counts. */
  after(path: string, bytes: Uint8Array | undefined, mode?: number): Promise<void>
  /**
   * For a call that runs again after a crash: the hash `sha256:…` of what the file held before the first run, null if
   * there was no file. Undefined if the first run did not come to change the file.
   */
  earlier?(path: string): string | null | undefined
}

export interface SubagentTask {
  /** A few words, for people. */
  readonly description: string
  readonly prompt: string
  readonly agent: string
  /** A session that an earlier call of the same session began: it goes on there. */
  readonly sessionID?: SessionID
  readonly model?: ModelRef
}

export interface SubagentResult {
  readonly sessionID: SessionID
  readonly status: "completed" | "failed"
  /** Its last words, or why it failed. */
  readonly text: string
  readonly model: ModelRef
  /** Of the work for this call, in US dollars; sessions below are counted. */
  readonly cost: number
  readonly tokens: Tokens
}

export interface ToolResult {
  /** One line for people: the path, the command. */
  readonly title: string
  /** What the model reads. */
  readonly output: string
  readonly metadata?: JSONObject
  readonly attachments?: readonly FileContent[]
}

export interface PermissionNeed {
  /** Such as `read`, `edit`, `bash`, `external_directory`. */
  readonly permission: string
  /** What is touched: a path relative to the worktree, a command. */
  readonly patterns: readonly string[]
  /** What an answer "always" would allow; absent: the patterns. Empty: it cannot be allowed for good. */
  readonly always?: readonly string[]
  /** Where the patterns mean what they say, absolute, links resolved; an answer "always" holds there alone. Absent: anywhere. */
  readonly directory?: string
  /** Why it is not known what would be done, a sentence: then it is asked even where rules allow it. */
  readonly unclear?: string
  /** Set if it surely changes nothing: rules of an agent that `readsUnasked` do not ask for it. */
  readonly onlyReads?: boolean
  readonly metadata?: JSONObject
}

/** Keeps the input's type while the engine holds tools of all types. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool
}

/** Whether every provider takes it for the name of a tool. */
export function isToolName(name: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
}

/** What a tool says of its repetition. Both get the arguments as the model wrote them, which may not fit the tool. */
export interface LoopTraits {
  /** What makes two calls the same where not all arguments do, such as a command without its description. */
  loopKey?(args: JSONObject): string
  /** Whether repeating the call is how one waits, such as reading what a background job has written. */
  readonly pollable?: boolean | ((args: JSONObject) => boolean)
}
