import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Model, ModelInfo, ModelRef, ProviderError } from "@pawl/core/provider"
import { modelEvents } from "./answer/model-events.ts"
import { openAnswer } from "./answer/open-answer.ts"
import { classify } from "./errors/classify.ts"
import type { ErrorSource } from "./errors/source.ts"
import type { ModelMiddleware } from "./middleware/model-middleware.ts"
import { type AdaptCall, createCallOptions, type SystemForm } from "./request/call-options.ts"
import { signalWithWatch } from "./request/request-watch.ts"
import { withVendor } from "./vendor.ts"

export interface AiSdkModelOptions {
  /** The model, or a function that loads it: called at the first request, and again after a failure. */
  languageModel: LanguageModelV4 | (() => Promise<LanguageModelV4>)
  ref: ModelRef
  info: ModelInfo
  /** See `Model`. Default: there is nothing to open. */
  connect?: () => void
  /** Turns what the model throws into a ProviderError. Default: `classify` of this package, with `ref.providerID`. */
  classify?: (error: unknown) => ProviderError
  /** `joined` makes one system message of all blocks, for chat templates that take no second one. Default: `separate`. */
  system?: SystemForm
  /** The key for `settings.options` in the call. Default: the first word of the language model's `provider`. */
  optionsKey?: string
  /** Default: none. */
  adapt?: AdaptCall
  /** Around the language model, the first one outermost. Default: none, and `ai` is not loaded. */
  middleware?: readonly ModelMiddleware[] | undefined
}

/** Any AI SDK language model as a Model. Uses `doStream` alone, so nothing is retried and no tool is run. */
export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { ref, info } = options
  const source: ErrorSource = { providerID: ref.providerID }
  const toError = options.classify ?? ((error: unknown) => classify(error, source))
  const load = loadOnce(withMiddleware(options))
  const callOptions = createCallOptions(options.system ?? "separate")

  return withVendor({
    ref,
    info,
    ...(options.connect ? { connect: options.connect } : {}),
    stream(request, signal, watch) {
      async function call() {
        const languageModel = await load()
        const optionsKey = options.optionsKey ?? languageModel.provider.split(".", 1)[0] ?? ref.providerID
        const call = callOptions(request, optionsKey, signalWithWatch(signal, watch))
        return languageModel.doStream(options.adapt?.(call, request) ?? call)
      }
      const open = () => openAnswer(call(), signal)
      return { [Symbol.asyncIterator]: () => modelEvents({ open, signal, toError }) }
    },
  })
}

function withMiddleware({ languageModel, middleware = [] }: AiSdkModelOptions): AiSdkModelOptions["languageModel"] {
  if (middleware.length === 0) return languageModel
  return async () => {
    const { wrapModel } = await import("./middleware/wrap-model.ts")
    return wrapModel(typeof languageModel === "function" ? await languageModel() : languageModel, middleware)
  }
}

function loadOnce(languageModel: AiSdkModelOptions["languageModel"]): () => Promise<LanguageModelV4> {
  if (typeof languageModel !== "function") return () => Promise.resolve(languageModel)
  let loading: Promise<LanguageModelV4> | undefined
  return async () => {
    loading ??= languageModel()
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}
