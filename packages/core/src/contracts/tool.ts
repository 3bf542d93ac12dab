import type { MessageID, SessionID } from "../base/ids.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { FileContent, FinishReason, TextContent } from "./model.ts"
import type { PermissionAction, Choice, ModelRef, Tokens } from "../record/message.ts"
import type { BlobStore } from "./storage.ts"

/**
 * The effect of repeating a call: nothing (`pure`), the same again (`idempotent`), or something else (`unsafe`). A
 * `pure` or `idempotent` call that a crash interrupted runs again when its session is continued, at most twice; an
 * `unsafe` call never does. A call is `idempotent` only if this holds after any part of the first run.
 */
export type Effect = "pure" | "idempotent" | "unsafe"

export interface Tool<Input = unknown> extends LoopTraits {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JSONObject
  readonly effect: Effect
  /** End of a long output that the model reads. Default: `head`. */
  readonly keep?: "head" | "tail"
  /** Milliseconds without progress after which a call ends; 0 = unlimited. Default: the engine's deadline for tools. */
  readonly deadline?: number
  /**
   * Set if an interrupted call is run again when its session continues, with the same `idempotencyKey`, instead of
   * being reported to the model as interrupted.
   */
  readonly resumable?: boolean
  /**
   * Set if a call works in processes with the environment of `context.env()`. After a crash, these are ended before the
   * session is continued, and the model reads that the call was stopped.
   */
  readonly worksInProcesses?: boolean
  /**
   * The permission that every call needs. Default: the tool's name. If rules always deny it, no model is offered the
   * tool.
   */
  readonly permission?: string
  /**
   * Allows the engine to offer the tool through a search if the definitions take too much room. The tool never replaces
   * another tool.
   */
  readonly deferrable?: boolean
  /** Throws ToolInputError with a text that lets the model correct itself. */
  parse(input: unknown): Input
  /**
   * How undo learns which files a call changes. `recorded`: the tool records each one with `context.files`. `none`: a
   * call changes no files. Default: `none` for a `pure` tool; else the files of the worktree are compared before and
   * after the call.
   */
  readonly changes?: "recorded" | "none"
  /** Returns the absolute paths of files that the call certainly may change, if the worktree is compared. */
  changedFiles?(input: Input, location: ToolLocation): Promise<readonly string[]>
  /**
   * Returns the permissions that the call needs before it runs. If missing or empty: permission `name`, pattern `*`.
   */
  permissions?(input: Input, context: ToolLocation): Promise<readonly PermissionNeed[]> | readonly PermissionNeed[]
  /**
   * Runs the call. A thrown error becomes the call's error, which the model reads. Ends soon after `context.signal`
   * aborts.
   */
  execute(input: Input, context: ToolContext): Promise<ToolResult>
}

/**
 * The directories of a tool. Both are absolute. `worktree` is the root of the git work tree, or the directory outside
 * of git.
 */
export interface ToolLocation {
  readonly directory: string
  readonly worktree: string
  /** The calling session; missing if a call is only evaluated, as by `pawl permissions why`. */
  readonly sessionID?: SessionID
}

export interface ToolContext extends ToolLocation {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  readonly callID: string
  readonly agent: string
  /** Key that is the same for each execution of this call: `sessionID/messageID/callID`. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** True if the model may delegate work to a subagent without asking. */
  readonly canDelegate: boolean
  readonly blobs: BlobStore
  /** Returns the environment of a child process, including the additions of hooks. */
  env(): Promise<Readonly<Record<string, string>>>
  readonly files: FileRecorder
  /**
   * Returns a function that tells the permission of reading a file, for tools that find files which the call did not
   * name.
   */
  judgeReads(): Promise<JudgeRead>
  /**
   * Asks the user. Resolves with the chosen labels of each question. Rejects if the user does not answer, with a text
   * for the model.
   */
  ask(questions: readonly Choice[]): Promise<readonly (readonly string[])[]>
  /** Requests a permission that the running call turns out to need. Rejects like a refused call: let the error pass. */
  authorize(need: PermissionNeed): Promise<void>
  /**
   * Generates one answer of the session's model, without tools and without asking the user. Counts towards the run's
   * limits and the session's cost. Rejects if a limit is reached, and with ProviderError.
   */
  generate(request: GenerateRequest): Promise<Generated>
  /**
   * Lets an agent work on a task in a session below this one. Rejects before any work begins if that is not allowed.
   */
  delegate(task: SubagentTask): Promise<SubagentResult>
  /** Shows progress. Published immediately, stored with the result. */
  progress(update: { readonly title?: string; readonly metadata?: JSONObject }): void
}

/**
 * Returns the permission to read a file. `names`: the file's names relative to the worktree, as it was found and with
 * links resolved.
 */
export type JudgeRead = (names: readonly string[]) => PermissionAction

export interface GenerateRequest {
  readonly system?: string
  readonly messages: readonly {
    readonly role: "user" | "assistant"
    readonly content: readonly (TextContent | FileContent)[]
  }[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
  /** JSON schema of the answer. */
  readonly schema?: JSONObject
}

export interface Generated {
  readonly text: string
  /** The parsed and valid answer if there is a schema. */
  readonly json?: JSONValue
  readonly finish: FinishReason
  readonly model: ModelRef
}

/** Records with a call the content of files before and after its changes. Paths are absolute, with links resolved. */
export interface FileRecorder {
  /**
   * Records the content before a change. Call it before the first byte is written; durable when it resolves. `bytes` is
   * undefined if there is no file. The first call for a path counts.
   */
  before(path: string, bytes: Uint8Array | undefined, mode?: number): Promise<void>
  /**
   * Records the content after a change; stored with the call's result. `bytes` is undefined if the file was removed.
   * The last call for a path counts.
   */
  after(path: string, bytes: Uint8Array | undefined, mode?: number): Promise<void>
  /**
   * Returns, for a call that runs again after a crash, the hash `sha256:…` of the file before the first run; null if
   * there was no file. Undefined if the first run did not change the file.
   */
  earlier?(path: string): string | null | undefined
  /** Says that the call's work continues in the background after its result, until the promise settles. */
  continues?(until: Promise<unknown>): void
}

export interface SubagentTask {
  /** A few words for the user. */
  readonly description: string
  readonly prompt: string
  readonly agent: string
  /** A session that an earlier call of the same session created, to continue there. */
  readonly sessionID?: SessionID
  readonly model?: ModelRef
}

export interface SubagentResult {
  readonly sessionID: SessionID
  readonly status: "completed" | "failed"
  /** Its last text, or the reason of its failure. */
  readonly text: string
  readonly model: ModelRef
  /** Cost of the work for this call in US dollars, including sessions below. */
  readonly cost: number
  readonly tokens: Tokens
  /** Facts about the directory of its own in which it has worked. */
  readonly note?: string
}

export interface ToolResult {
  /** A line for the user: the path, the command. */
  readonly title: string
  /** Text for the model. */
  readonly output: string
  readonly metadata?: JSONObject
  readonly attachments?: readonly FileContent[]
}

export interface PermissionNeed {
  /** Name of the permission, such as `read`, `edit`, `bash`, `external_directory`. */
  readonly permission: string
  /** Affected things: a path relative to the worktree, a command. */
  readonly patterns: readonly string[]
  /** Patterns that an answer "always" allows. Default: `patterns`. Empty: "always" is not possible. */
  readonly always?: readonly string[]
  /**
   * Directory that the patterns refer to and that an answer "always" is limited to; absolute, with links resolved.
   * Default: anywhere.
   */
  readonly directory?: string
  /**
   * Sentence that says why the effect of the call is unknown. If set, the user is asked even if rules allow the call.
   */
  readonly unclear?: string
  /** Set if the call certainly changes nothing: rules of an agent with `readsUnasked` do not ask for it. */
  readonly onlyReads?: boolean
  readonly metadata?: JSONObject
}

/** Keeps the type of the input, while the engine holds tools of all types. */
export function defineTool<Input>(tool: Tool<Input>): Tool<Input> {
  return tool
}

/** Returns whether every provider accepts the name for a tool. */
export function isToolName(name: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
}

/**
 * Traits for detecting repetition. Both functions get the arguments as the model wrote them, which may not fit the
 * tool.
 */
export interface LoopTraits {
  /** Returns the key of equal calls if some arguments do not matter, such as a command's description. */
  loopKey?(args: JSONObject): string
  /** Set if repeating the call is a way to wait, such as reading the output of a background job. */
  readonly pollable?: boolean | ((args: JSONObject) => boolean)
}
