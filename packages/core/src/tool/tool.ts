import type { LoopTraits } from "../context/repetition/call-key.ts"
import type { MessageID, SessionID } from "../ids.ts"
import type { JSONObject } from "../json.ts"
import type { FileContent } from "../provider/model.ts"
import type { BlobStore } from "../storage/storage.ts"

/** What repeating a call would do: nothing at all, the same once more, or something else. */
export type Effect = "pure" | "idempotent" | "unsafe"

export interface Tool<Input = unknown> extends LoopTraits {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JSONObject
  readonly effect: Effect
  /** Which end of a long output the model sees; absent means the head. */
  readonly keep?: "head" | "tail"
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
  /** Shows progress: published at once, stored with the result. */
  progress(update: { readonly title?: string; readonly metadata?: JSONObject }): void
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
  /** What an answer "always" would allow. */
  readonly always?: readonly string[]
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
