import { type Model, type ModelInfo, NotFoundError, type Provider } from "@pawl/core"
import { aiSdkModel, classify } from "@pawl/provider-ai-sdk"
import {
  type ConfiguredModel,
  type Connection,
  type ConnectionOptions,
  createConnection,
  defaultModelInfo,
  toModelInfo,
} from "@pawl/provider-http"
import { authorized } from "./authorized.ts"
import { listModels } from "./list-models.ts"
import { messagesLast } from "./request-body.ts"

export interface OpenAICompatibleOptions extends Omit<ConnectionOptions, "baseURL" | "apiKey"> {
  /** As in `acme/small`. */
  id: string
  /** For people. Default: the id. */
  name?: string
  /** Where the API begins, as in `http://127.0.0.1:11434/v1`. */
  baseURL: string
  /** Local servers need none. Blanks around it, such as the end of a line, are left out. */
  apiKey?: string | undefined
  /** The models there are. Without any, the server is asked for its list, and every id is taken for a model's. */
  models?: readonly ConfiguredModel[]
}

/**
 * A provider for any server that speaks the OpenAI chat completions API. Nothing is loaded or sent before the first
 * request. The bytes of a request are the beginning of the next one's, but for the closing `]}`.
 */
export function openAICompatible(options: OpenAICompatibleOptions): Provider {
  const { id, baseURL } = options
  // Programs that name no environment expect their own proxies.
  const environment = options.environment ?? process.env
  const connection = createConnection({ id, baseURL, baseURLHint, needsKey: false }, { ...options, environment })
  const configured = options.models?.map((model) => toModelInfo(model)) ?? []
  const models = new Map<string, Model>()
  let sdk: ReturnType<typeof loadSdk> | undefined

  function create(info: ModelInfo): Model {
    return aiSdkModel({
      ref: { providerID: id, modelID: info.id },
      info,
      async languageModel() {
        connection.checkKey()
        return (await (sdk ??= loadSdk(connection))).chatModel(info.id)
      },
      classify: (error) => classify(error, connection.source),
      // Many chat templates of local models take one system message only.
      system: "joined",
      optionsKey: sdkName,
    })
  }

  return {
    id,
    name: options.name ?? id,
    async models() {
      if (configured.length > 0) return configured
      connection.checkKey()
      return listModels(connection)
    },
    async model(modelID) {
      const info = configured.length > 0 ? configured.find((model) => model.id === modelID) : defaultModelInfo(modelID)
      if (info === undefined) throw unknownModel(id, modelID, configured)
      // One model for each id: it keeps the converted messages of its requests.
      const model = models.get(modelID) ?? create(info)
      models.set(modelID, model)
      return model
    },
  }
}

/** The SDK splits a provider's name at dots, so it is not told the real one. */
const sdkName = "openaiCompatible"

const baseURLHint = "Is this the base URL of an OpenAI-compatible API? Most of them end in /v1."

async function loadSdk(connection: Connection) {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  return createOpenAICompatible({
    name: sdkName,
    baseURL: connection.baseURL,
    headers: authorized(connection),
    includeUsage: true,
    transformRequestBody: messagesLast,
    fetch: connection.streamFetch,
  })
}

function unknownModel(id: string, modelID: string, known: readonly ModelInfo[]): NotFoundError {
  const ids = known.map((model) => model.id).join(", ")
  return new NotFoundError(`Model "${id}/${modelID}" is not known. Known for "${id}": ${ids}.`)
}
