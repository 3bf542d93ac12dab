import type { LanguageModelV4 } from "@ai-sdk/provider"
import { type Model, type Provider, ProviderError } from "@pawl/core/provider"
import { aiSdkModel, classify, type ErrorSource } from "@pawl/provider-ai-sdk"
import { type ConnectionOptions, createConnection } from "./connection.ts"
import { explained } from "./explained.ts"
import { type ConfiguredModel, defaultModelInfo, toModelInfo } from "./model-info.ts"
import { withRequestWords } from "./request-words.ts"
import { isUnknownModel, withNearModels } from "./unknown-model.ts"

export interface SDK {
  languageModel(modelID: string): unknown
}

/** As `createXai` of `@ai-sdk/xai`: takes `name`, `baseURL`, `apiKey`, `headers`, `fetch`, and others of its own. */
export type CreateSDK = (options: Readonly<Record<string, unknown>>) => SDK

export interface SDKProviderOptions extends ConnectionOptions {
  readonly id: string
  /** Shown to users. Default: the id. */
  readonly name?: string | undefined
  /** Package name, for errors. */
  readonly package: string
  readonly create: CreateSDK
  /** Takes precedence over pawl's own options. */
  readonly sdk?: Readonly<Record<string, unknown>> | undefined
  /** Known models. Every other id is accepted, too. */
  readonly models?: readonly ConfiguredModel[] | undefined
}

/**
 * Creates a provider from any package of the AI SDK. Requests use pawl's fetch, without retries. Without `baseURL` and
 * `apiKey` the package uses its own. `model` throws ProviderError if the package fails or returns no model of AI SDK 7.
 */
export function sdkProvider(options: SDKProviderOptions): Provider {
  const { id, name = id, baseURL, models = [] } = options
  const plan = { id, baseURL: baseURL ?? "", baseURLHint: `Is this the base URL that ${options.package} wants?` }
  const connection = createConnection({ ...plan, needsKey: false }, options)
  // The errors of the package name the server.
  const source = { ...connection.source, server: baseURL }
  const infos = models.map((model) => toModelInfo(model))
  const made = new Map<string, Model>()
  let sdk: SDK | undefined

  function open(): SDK {
    return options.create({
      name: id,
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(connection.apiKey === undefined ? {} : { apiKey: connection.apiKey }),
      headers: { ...connection.headers },
      fetch: connection.streamFetch,
      ...options.sdk,
    })
  }

  function create(modelID: string): Model {
    const words = models.findLast((each) => each.id === modelID) ?? { id: modelID }
    const languageModel = checked({ package: options.package, source }, () => {
      sdk ??= open()
      return sdk.languageModel(words.vendorID ?? modelID)
    })
    const model = aiSdkModel({
      ref: { providerID: id, modelID },
      info: infos.find((info) => info.id === modelID) ?? defaultModelInfo(modelID),
      languageModel,
      connect: connection.connect,
      classify: (error) => classify(error, source),
      middleware: words.middleware,
    })
    const ids = infos.map((info) => info.id)
    return explained(withRequestWords(model, words), (error) => {
      return isUnknownModel(error) ? withNearModels(error, modelID, ids) : error
    })
  }

  return {
    id,
    name,
    models: async () => infos,
    async model(modelID) {
      connection.checkKey()
      const model = made.get(modelID) ?? create(modelID)
      made.set(modelID, model)
      return model
    },
  }
}

const VERSION = "v4"

interface Made {
  readonly package: string
  readonly source: ErrorSource
}

function checked({ package: name, source }: Made, make: () => unknown): LanguageModelV4 {
  const { model, version } = made({ package: name, source }, make)
  if (version === VERSION) return model as LanguageModelV4
  const is = version === undefined ? "gives no language model" : `speaks version "${version}"`
  throw new ProviderError(
    "invalid-request",
    `The package ${name} ${is} of the AI SDK's model specification, and pawl needs "${VERSION}". Choose a version of it for AI SDK 7.`,
    { providerID: source.providerID },
  )
}

/** Returns what the package created, with its specification version; undefined if it has none. */
function made({ package: name, source }: Made, make: () => unknown): { model: unknown; version?: string } {
  try {
    const model = make()
    const isModel = typeof model === "object" && model !== null && "specificationVersion" in model
    return isModel ? { model, version: String(model.specificationVersion) } : { model }
  } catch (error) {
    const { kind, message, details, cause } = classify(error, source)
    const known = kind === "unknown" ? "invalid-request" : kind
    throw new ProviderError(known, `The package ${name} makes no model. ${message}`, details, { cause })
  }
}
