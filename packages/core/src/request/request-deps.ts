import type { Hooks } from "../hooks/hooks.ts"
import type { CompactionSettings } from "../measure/compaction-settings.ts"
import type { Measure } from "../measure/measure.ts"
import type { Model, ModelMessage } from "../contracts/model.ts"
import type { ResizeImage } from "../media/resize-image.ts"
import type { MessageWithParts, ModelRef } from "../record/message.ts"
import type { Arrange } from "../record/request-order.ts"
import type { AskModel } from "./ask-model.ts"
import type { RetryPolicy } from "./retry.ts"

/** Functions that make and measure requests. They cache what requests have in common, so use one for each engine. */
export interface Requests {
  readonly arrange: Arrange
  readonly modelMessages: (messages: readonly MessageWithParts[], model: ModelRef) => ModelMessage[]
  /** Returns the messages with unsupported files replaced by text. */
  readonly fitRequest: (messages: ModelMessage[], model: Model) => ModelMessage[]
  /** Resizes images. If undefined, images that are too large for the provider are left out. */
  readonly resizeImage: ResizeImage | undefined
  readonly measure: Measure
  readonly contextSettings: CompactionSettings
}

export interface RequestDeps {
  readonly hooks: Hooks
  readonly requests: Requests
}

/** The models of an engine, and the rules for asking them again. */
export interface Models {
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly askModel: AskModel
  readonly retry: RetryPolicy
  /** Returns a number from 0 to 1. */
  readonly random: () => number
}
