import type { InputRules } from "./input-rules.ts"
import type { ProviderError } from "../base/errors.ts"
import type { JSONObject, JSONValue } from "../base/json.ts"
import type { ModelRef, Tokens } from "../record/message.ts"

/** Known properties of a model. Limits in tokens, 0 = unknown. A missing field is unknown. */
export interface ModelInfo {
  readonly id: string
  readonly name: string
  readonly limit: { readonly context: number; readonly input?: number; readonly output: number }
  /** `tiers`: other prices for long requests. The highest tier that a request exceeds applies to all of its tokens. */
  readonly cost: Prices & { readonly tiers?: readonly PriceTier[] }
  readonly capabilities: {
    readonly reasoning: boolean
    readonly attachment: boolean
    readonly toolCall: boolean
    /** If false, the provider refuses a request that sets it. */
    readonly temperature?: boolean
    /** Supports answers that follow a JSON schema: `ModelRequest.responseFormat`. */
    readonly structuredOutput?: boolean
    readonly input?: readonly InputKind[]
  }
  /** Family by which an adapter chooses `Model.systemPrompt` if the model's id does not tell it. */
  readonly promptFamily?: string
  /** Reasoning efforts by name, weakest first, with the options of each for `settings.options`. */
  readonly variants?: Readonly<Record<string, JSONObject>>
  readonly media?: MediaLimits
  /**
   * Milliseconds that the provider caches a prompt after its last use. Default: five minutes, as with most providers.
   */
  readonly cacheTTL?: number
}

export type InputKind = "text" | "image" | "pdf" | "audio" | "video"

/** Prices in US dollars per million tokens. 0 = free or unknown. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export interface PriceTier extends Prices {
  /** Applies to requests of more tokens than this, including cached ones. */
  readonly above: number
}

/** Limits of a provider for files in a request. Bytes are those of the file, not of its base64. */
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
  /** Lists the known models. Avoids network requests unless they are necessary. */
  models(): Promise<readonly ModelInfo[]>
  /**
   * Returns the model. Rejects with NotFoundError that names the known models, or with ProviderError "auth" if a key is
   * missing.
   */
  model(modelID: string): Promise<Model>
}

/** A model that is ready to call. */
export interface Model {
  readonly ref: ModelRef
  readonly info: ModelInfo
  /** System prompt for agents without a prompt of their own, written for this model. Default: the engine's prompt */
  readonly systemPrompt?: string
  /**
   * How the provider counts and limits input; `info.media` lowers the limits. Default: rules that hold with most
   * providers, whose limits `info.media` replaces.
   */
  readonly inputRules?: InputRules
  /**
   * Streams one answer: events in order with exactly one `finish` as the last, or a thrown ProviderError. Never runs
   * tools, never retries. Ends with an AbortError soon after the signal aborts. Calls `watch` if the model can observe
   * the transfer.
   */
  stream(request: ModelRequest, signal: AbortSignal, watch?: RequestWatch): AsyncIterable<ModelEvent>
  /**
   * Opens a connection, if the model uses one, for a request that follows soon. Does not throw, and callers do not wait
   * for it.
   */
  readonly connect?: () => void
  /**
   * Finds the files that the provider refused in a request, by its error. Resolves with undefined if the error is not
   * about files; never rejects. The engine sends the request again without these files. Default: finds no files.
   */
  findRejectedFiles?(error: ProviderError, request: ModelRequest): Promise<RejectedFiles | undefined>
}

export interface RejectedFiles {
  /** Files of the request; at least one. */
  readonly files: readonly FileContent[]
  /** Completes "it is left out: …", for the model and users. */
  readonly reason: string
}

/** Follows a request below its events. */
export interface RequestWatch {
  /** The request was sent completely. */
  readonly onSent?: (() => void) | undefined
  /** Bytes of the answer have arrived: an event, a part of one, or a keep-alive. */
  readonly onBytes?: (() => void) | undefined
}

export interface ModelRequest {
  readonly sessionID: string
  /** System blocks, the most stable first. */
  readonly system: readonly string[]
  readonly messages: readonly ModelMessage[]
  /** Tools in a stable order, because they are part of the prefix that providers cache. */
  readonly tools: readonly ToolDefinition[]
  readonly settings: ModelSettings
  readonly headers: Readonly<Record<string, string>>
  /** JSON form of the answer's text. Default: text. */
  readonly responseFormat?: ResponseFormat | undefined
}

export interface ResponseFormat {
  readonly schema: JSONObject
  /** Name of the answer, for the model. */
  readonly name?: string | undefined
}

export interface ModelSettings {
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly maxOutputTokens?: number | undefined
  /** Options specific to the provider, passed through. */
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
  /** Data from the same provider, such as signatures. */
  readonly metadata?: JSONObject | undefined
}
export interface ToolCallContent {
  readonly type: "tool-call"
  readonly callID: string
  readonly name: string
  readonly input: JSONValue
  /** Data from the same provider, such as signatures. */
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
 * The seventeen events of a stream. `tool-call` carries the arguments as the model wrote them: the engine parses them.
 * `tool-result` and `tool-error` belong to tools that the provider ran itself. `error` is as final as a throw.
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
      /** Data to send back with the call. */
      readonly metadata?: JSONObject | undefined
    }
  | { readonly type: "tool-result"; readonly id: string; readonly name: string; readonly output: JSONValue }
  | { readonly type: "tool-error"; readonly id: string; readonly name: string; readonly error: string }
  | { readonly type: "finish-step"; readonly reason: FinishReason; readonly usage: Tokens }
  | { readonly type: "error"; readonly error: ProviderError }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage: Tokens }
