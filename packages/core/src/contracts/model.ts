import type { ProviderError } from "../base/errors.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { ModelRef, Tokens } from "../record/message.ts"

/** What is known of a model. Limits in tokens, 0 = unknown; what is left out is unknown. */
export interface ModelInfo {
  readonly id: string
  readonly name: string
  readonly limit: { readonly context: number; readonly input?: number; readonly output: number }
  /** `tiers`: other prices for long requests; the highest one that a request is above counts, for all of its tokens. */
  readonly cost: Prices & { readonly tiers?: readonly PriceTier[] }
  readonly capabilities: {
    readonly reasoning: boolean
    readonly attachment: boolean
    readonly toolCall: boolean
    /** False: a request that sets it is refused. */
    readonly temperature?: boolean
    /** Answers that follow a JSON schema: `ModelRequest.responseFormat`. */
    readonly structuredOutput?: boolean
    readonly input?: readonly InputKind[]
  }
  /** Whose words a system prompt should have. */
  readonly promptFamily?: "anthropic" | "openai" | "gemini" | "default"
  /** Reasoning efforts by name, weakest first: what to put into `settings.options` for each. */
  readonly variants?: Readonly<Record<string, JSONObject>>
  readonly media?: MediaLimits
  /** Milliseconds that its provider keeps a prompt after its last use; absent: as most do, five minutes. */
  readonly cacheTTL?: number
}

export type InputKind = "text" | "image" | "pdf" | "audio" | "video"

/** In US dollars for a million tokens. 0 = free or unknown. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface PriceTier extends Prices {
  /** For requests of more tokens than this, cached ones included. */
  readonly above: number
}

/** What files a provider takes in a request. Bytes are those of the file, not of its base64. */
export interface MediaLimits {
  readonly imageBytes?: number
  /** Pixels of the longer side. */
  readonly imageSide?: number
  readonly imagesPerRequest?: number
  readonly pdfPages?: number
  readonly requestBytes?: number
}

/** A source of models, such as a vendor or a local server. */
export interface Provider {
  readonly id: string
  readonly name: string
  /** The models it knows of, without asking a network unless it has to. */
  models(): Promise<readonly ModelInfo[]>
  /** Rejects with NotFoundError naming the known ones, or with ProviderError "auth" when it lacks a key. */
  model(modelID: string): Promise<Model>
}

/** One model, ready to call. */
export interface Model {
  readonly ref: ModelRef
  readonly info: ModelInfo
  /**
   * One answer: events in order, exactly one `finish` as the last, or a thrown ProviderError. Never runs tools, never
   * retries. Ends with an AbortError soon after the signal aborts. `watch` is called if the model can tell.
   */
  stream(request: ModelRequest, signal: AbortSignal, watch?: RequestWatch): AsyncIterable<ModelEvent>
  /**
   * Opens a connection, where there is one to open, for a request that follows soon: it stands when the request is made.
   * Does not throw, and nobody waits for it.
   */
  readonly connect?: () => void
}

/** Follows a request below its events. */
export interface RequestWatch {
  /** All of the request has left. */
  readonly onSent?: (() => void) | undefined
  /** Bytes of the answer have come: an event, a part of one, or a keep-alive. */
  readonly onBytes?: (() => void) | undefined
}

export interface ModelRequest {
  readonly sessionID: string
  /** System blocks, the most stable first. */
  readonly system: readonly string[]
  readonly messages: readonly ModelMessage[]
  /** In a stable order: it is part of the prefix that providers cache. */
  readonly tools: readonly ToolDefinition[]
  readonly settings: ModelSettings
  readonly headers: Readonly<Record<string, string>>
  /** The answer's text is to be JSON of this form. Default: text. */
  readonly responseFormat?: ResponseFormat | undefined
}

export interface ResponseFormat {
  readonly schema: JSONObject
  /** For the model: what the answer is. */
  readonly name?: string | undefined
}

export interface ModelSettings {
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly maxOutputTokens?: number | undefined
  /** Options of the provider's own, passed through. */
  readonly options?: JSONObject | undefined
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JSONObject
}

export type ModelMessage =
  | { readonly role: "user"; readonly content: readonly (TextContent | FileContent)[] }
  | { readonly role: "assistant"; readonly content: readonly (TextContent | ReasoningContent | ToolCallContent)[] }
  | { readonly role: "tool"; readonly content: readonly ToolResultContent[] }

export interface TextContent {
  readonly type: "text"
  readonly text: string
}
export interface FileContent {
  readonly type: "file"
  readonly mime: string
  readonly filename?: string | undefined
  /** `data:` or `https:`. */
  readonly url: string
}
export interface ReasoningContent {
  readonly type: "reasoning"
  readonly text: string
  /** As the same provider gave it: signatures and the like. */
  readonly metadata?: JSONObject | undefined
}
export interface ToolCallContent {
  readonly type: "tool-call"
  readonly callID: string
  readonly name: string
  readonly input: JSONValue
  /** As the same provider gave it: signatures and the like. */
  readonly metadata?: JSONObject | undefined
}
export interface ToolResultContent {
  readonly type: "tool-result"
  readonly callID: string
  readonly name: string
  readonly output: string
  readonly isError: boolean
  readonly attachments?: readonly FileContent[]
}

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "unknown"

/**
 * The seventeen events of a stream. `tool-call` carries the arguments as the model wrote them: parsing is the engine's.
 * `tool-result` and `tool-error` speak of tools that the provider ran by itself. `error` is as final as a throw.
 */
export type ModelEvent =
  | { readonly type: "start" }
  | { readonly type: "start-step" }
  | { readonly type: "text-start"; readonly id: string; readonly metadata?: JSONObject | undefined }
  | { readonly type: "text-delta"; readonly id: string; readonly text: string }
  | { readonly type: "text-end"; readonly id: string; readonly metadata?: JSONObject | undefined }
  | { readonly type: "reasoning-start"; readonly id: string; readonly metadata?: JSONObject | undefined }
  | { readonly type: "reasoning-delta"; readonly id: string; readonly text: string }
  | { readonly type: "reasoning-end"; readonly id: string; readonly metadata?: JSONObject | undefined }
  | { readonly type: "tool-input-start"; readonly id: string; readonly name: string }
  | { readonly type: "tool-input-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "tool-input-end"; readonly id: string }
  | {
      readonly type: "tool-call"
      readonly id: string
      readonly name: string
      readonly input: string
      readonly providerExecuted?: boolean | undefined
      /** To be given back with the call. */
      readonly metadata?: JSONObject | undefined
    }
  | { readonly type: "tool-result"; readonly id: string; readonly name: string; readonly output: JSONValue }
  | { readonly type: "tool-error"; readonly id: string; readonly name: string; readonly error: string }
  | { readonly type: "finish-step"; readonly reason: FinishReason; readonly usage: Tokens }
  | { readonly type: "error"; readonly error: ProviderError }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage: Tokens }
