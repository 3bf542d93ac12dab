import type { PromptRequest } from "@pawl/core"
import type { JSONObject, JSONValue, ModelInfo, ModelMessage, ToolDefinition } from "@pawl/core/provider"
import type { Reply } from "../reply/reply.ts"

/** The version of the form that recordings are written in. */
export const RECORDING_VERSION = 1

/** The session that a recording is of. */
export const ROOT = "s1"

/** The first line of a recording. Every field except the version is optional. */
export interface RecordingHeader {
  readonly recording: number
  /** The version of pawl that wrote it. */
  readonly pawl?: string | undefined
  /** When it began, as an ISO date. */
  readonly time?: string | undefined
  /** The working directory, with which recorded paths begin. */
  readonly directory?: string | undefined
  readonly worktree?: string | undefined
  /** The models that were asked, by provider/model. */
  readonly models?: Readonly<Record<string, Partial<ModelInfo>>> | undefined
  /** The agents at work, unless they are the engine's own. */
  readonly agents?: readonly RecordedAgent[] | undefined
  /** Settings of the engine that affect the run. */
  readonly settings?: JSONObject | undefined
  /** Names of plugins that took part. */
  readonly plugins?: readonly string[] | undefined
  /** The kind of content that was masked. */
  readonly sanitized?: "keys" | "secrets" | "content" | undefined
}

export interface RecordedAgent {
  readonly name: string
  readonly description?: string | undefined
  readonly prompt?: string | undefined
  /** provider/model */
  readonly model?: string | undefined
  readonly steps?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly mode?: "primary" | "subagent" | "all" | undefined
}

/** A session of the tree: `s1` is the one that was asked. */
export interface RecordedSession {
  readonly session: string
  /** As it was stored. */
  readonly id?: string | undefined
  /** The session above, and its call that this one works for. */
  readonly parent?: string | undefined
  readonly call?: string | undefined
  readonly agent?: string | undefined
  /** Absent, or empty: it was given none. */
  readonly title?: string | undefined
}

/** A prompt to the session `s1`. */
export interface RecordedPrompt {
  readonly line: number
  readonly prompt: readonly JSONObject[]
  readonly agent?: string | undefined
  readonly variant?: string | undefined
  /** provider/model */
  readonly by?: string | undefined
}

export type DeliveryMode = NonNullable<PromptRequest["delivery"]>

/** A message to the running session `s1`, delivered before the next reply of `s1` in the file. */
export interface RecordedDelivery extends RecordedPrompt {
  readonly delivery: DeliveryMode
}

/** The request of a reply: what changed since the one before it of the same session. */
export interface RequestChange {
  /** Names of system blocks and tools from separate lines. If undefined, they are the previous ones. */
  readonly system?: string | undefined
  readonly tools?: string | undefined
  /** How many messages are those of the request before. */
  readonly keep: number
  readonly add: readonly ModelMessage[]
}

export interface RecordedReply {
  readonly line: number
  readonly session: string
  /** The model as provider/model. Default: that of the header. */
  readonly by: string | undefined
  /** True for titles and summaries, which are not steps of the conversation. */
  readonly beside: boolean
  readonly reply: Reply
  /** Milliseconds. */
  readonly took: number | undefined
  /** Absent where it was not written down. */
  readonly request: RequestChange | undefined
}

/** The result of a tool call. */
export interface RecordedResult {
  readonly line: number
  readonly session: string
  readonly call: string
  readonly tool: string
  readonly input: JSONValue
  readonly outcome: RecordedOutcome
  /** Milliseconds. */
  readonly took: number | undefined
}

export type RecordedOutcome =
  | {
      readonly status: "completed"
      readonly output: string
      readonly title: string
      readonly metadata: JSONObject
      readonly attachments: readonly RecordedFile[]
    }
  /** `refused`: the run stopped there, since the permission was not granted. */
  | { readonly status: "error"; readonly error: string; readonly refused: boolean }

export interface RecordedFile {
  readonly mime: string
  readonly filename?: string | undefined
  /** `data:` */
  readonly url: string
}

/** How a turn ended. */
export interface RecordedEnd {
  readonly line: number
  /** The type of the run's result. */
  readonly type: string
  readonly answer?: string | undefined
  readonly error?: string | undefined
}

/** A recording, read. */
export interface Recording {
  /** The file, for messages. */
  readonly name: string
  readonly header: RecordingHeader
  readonly sessions: readonly RecordedSession[]
  readonly prompts: readonly RecordedPrompt[]
  readonly deliveries: readonly RecordedDelivery[]
  readonly replies: readonly RecordedReply[]
  readonly results: readonly RecordedResult[]
  readonly ends: readonly RecordedEnd[]
  /** System blocks by the name that requests have for them. */
  readonly systems: ReadonlyMap<string, readonly string[]>
  readonly tools: ReadonlyMap<string, readonly ToolDefinition[]>
  /** The session before the first prompt, as a document that can be imported. */
  readonly history: unknown
  /** The last line is not whole: the process ended while it wrote it. */
  readonly isCut: boolean
}
