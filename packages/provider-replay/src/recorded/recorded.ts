import type { PromptRequest } from "@pawl/core"
import type { JSONObject, JSONValue, ModelInfo, ModelMessage, ToolDefinition } from "@pawl/core/provider"
import type { Reply } from "../reply/reply.ts"

/** The version of the recording format. */
export const RECORDING_VERSION = 1

/** The session of a recording that is not a subagent. */
export const ROOT = "s1"

/** The first line of a recording. Every field except the version is optional. */
export interface RecordingHeader {
  readonly recording: number
  /** The version of pawl that wrote the recording. */
  readonly pawl?: string | undefined
  /** The start of the recording, as an ISO date. */
  readonly time?: string | undefined
  /** The working directory, to which recorded paths are relative. */
  readonly directory?: string | undefined
  readonly worktree?: string | undefined
  /** The models that received requests, by provider/model. */
  readonly models?: Readonly<Record<string, Partial<ModelInfo>>> | undefined
  /** The agents that were used. Default: the built-in ones. */
  readonly agents?: readonly RecordedAgent[] | undefined
  /** Settings of the engine that affect the run. */
  readonly settings?: JSONObject | undefined
  /** Names of the plugins that were active. */
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

/** A session of the recording. `s1` is the one that got the prompts. */
export interface RecordedSession {
  readonly session: string
  /** The id in the storage. */
  readonly id?: string | undefined
  /** The parent session, and the call of the parent that started this session. */
  readonly parent?: string | undefined
  readonly call?: string | undefined
  readonly agent?: string | undefined
  /** Absent or empty if the session had no title. */
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

/** A message to the running session `s1`. It was delivered before the next reply of `s1` in the file. */
export interface RecordedDelivery extends RecordedPrompt {
  readonly delivery: DeliveryMode
}

/** The request of a reply: the difference to the previous request of the same session. */
export interface RequestChange {
  /**
   * Names of system blocks and tools that have lines of their own. If undefined, they are the same as in the previous
   * request.
   */
  readonly system?: string | undefined
  readonly tools?: string | undefined
  /** Number of messages that are kept from the previous request. */
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
  /** Duration in milliseconds. */
  readonly took: number | undefined
  /** Absent if the request was not recorded. */
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
  /** Duration in milliseconds. */
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
  /** `refused`: the run stopped at this call, since the permission was denied. */
  | { readonly status: "error"; readonly error: string; readonly refused: boolean }

export interface RecordedFile {
  readonly mime: string
  readonly filename?: string | undefined
  /** A `data:` URL. */
  readonly url: string
}

/** The end of a turn. */
export interface RecordedEnd {
  readonly line: number
  /** The type of the run's result. */
  readonly type: string
  readonly answer?: string | undefined
  readonly error?: string | undefined
}

/** A parsed recording. */
export interface Recording {
  /** The file name in messages. */
  readonly name: string
  readonly header: RecordingHeader
  readonly sessions: readonly RecordedSession[]
  readonly prompts: readonly RecordedPrompt[]
  readonly deliveries: readonly RecordedDelivery[]
  readonly replies: readonly RecordedReply[]
  readonly results: readonly RecordedResult[]
  readonly ends: readonly RecordedEnd[]
  /** System blocks by the name that requests refer to. */
  readonly systems: ReadonlyMap<string, readonly string[]>
  readonly tools: ReadonlyMap<string, readonly ToolDefinition[]>
  /** The session before the first prompt, as a document that can be imported. */
  readonly history: unknown
  /** True if the last line is incomplete, because the process ended while it wrote it. */
  readonly isCut: boolean
}
