import { type Model, type ModelInfo, NotFoundError, type Provider, ProviderError } from "@pawl/core/provider"
import { aiSdkModel, classify } from "@pawl/provider-ai-sdk"
import {
  type ConfiguredModel,
  type Connection,
  type ConnectionOptions,
  createConnection,
  defaultModelInfo,
  explained,
  isUnknownModel,
  nearIDs,
  withNearModels,
  withRequestWords,
  withSentence,
} from "@pawl/provider-http"
import { authorized } from "./authorized.ts"
import { type CacheLifetime, takesMarks, withClaudeMarks } from "./claude-marks.ts"
import { toModelInfo } from "./efforts.ts"
import { listModels } from "./list-models.ts"
import { messagesLast } from "./request-body.ts"

export interface OpenAICompatibleOptions extends Omit<ConnectionOptions, "baseURL" | "apiKey"> {
  /** As in `acme/small`. */
  id: string
  /** Shown to users. Default: the id. */
  name?: string
  /** The base URL of the API, as in `http://127.0.0.1:11434/v1`. */
  baseURL: string
  /** Local servers usually need no key. Surrounding blanks are removed. */
  apiKey?: string | undefined
  /** The available models. Without it, the server is asked for its list, and every id is accepted. */
  models?: readonly ConfiguredModel[]
  /**
   * How long Anthropic caches Claude's prompts after their last use, if a gateway supports the marks; false sends no
   * marks. Default: `5m` for OpenRouter, `false` for others.
   */
  promptCache?: CacheLifetime | false | undefined
  /** Milliseconds to wait for the server's list. Default: 2 s. */
  listTimeout?: number | undefined
  /** How to start the server, as a sentence. Shown if it cannot be reached. */
  startHint?: string | undefined
}

/**
 * Creates a provider for any server with the OpenAI chat completions API. Loads and sends nothing before the first
 * request. Each request begins with the bytes of the previous one, except for the closing `]}`.
 */
export function openAICompatible(options: OpenAICompatibleOptions): Provider {
  const { id, baseURL, promptCache = takesMarks(baseURL) && "5m" } = options
  // Callers without an environment expect the proxies of the process.
  const environment = options.environment ?? process.env
  const connection = createConnection({ id, baseURL, baseURLHint, needsKey: false }, { ...options, environment })
  const configured = options.models?.map((model) => toModelInfo(model)) ?? []
  const models = new Map<string, Model>()
  let sdk: ReturnType<typeof loadSdk> | undefined

  function create(info: ModelInfo): Model {
    const words = options.models?.find((each) => each.id === info.id) ?? { id: info.id }
    const { vendorID = info.id } = words
    const model = aiSdkModel({
      ref: { providerID: id, modelID: info.id },
      info,
      async languageModel() {
        connection.checkKey()
        return (await (sdk ??= loadSdk(connection, promptCache))).chatModel(vendorID)
      },
      connect: connection.connect,
      classify: (error) => classify(error, connection.source),
      // Many chat templates of local models support a single system message only.
      system: "joined",
      optionsKey: sdkName,
      middleware: words.middleware,
    })
    return explained(withRequestWords(model, words), (error) => explain(error, vendorID))
  }

  async function explain(failure: unknown, modelID: string): Promise<unknown> {
    if (isUnknownModel(failure)) {
      const listed = await listModels(connection, options.listTimeout).catch(() => [])
      const ids = listed.map((model) => model.id)
      return withNearModels(failure, modelID, ids)
    }
    const isAway = failure instanceof ProviderError && failure.kind === "transport"
    return isAway && options.startHint !== undefined ? withSentence(failure, options.startHint) : failure
  }

  return {
    id,
    name: options.name ?? id,
    async models() {
      if (configured.length > 0) return configured
      connection.checkKey()
      return listModels(connection, options.listTimeout)
    },
    async model(modelID) {
      const info = configured.length > 0 ? configured.find((model) => model.id === modelID) : defaultModelInfo(modelID)
      if (info === undefined) throw unknownModel(id, modelID, configured)
      // One instance per id keeps the converted messages of its requests.
      const model = models.get(modelID) ?? create(info)
      models.set(modelID, model)
      return model
    },
  }
}

/** The SDK splits a provider's name at dots, so the real one is not passed. */
const sdkName = "openaiCompatible"

const baseURLHint = "Is this the base URL of an OpenAI-compatible API? Most of them end in /v1."

async function loadSdk(connection: Connection, promptCache: CacheLifetime | false) {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  return createOpenAICompatible({
    name: sdkName,
    baseURL: connection.baseURL,
    headers: authorized(connection),
    includeUsage: true,
    transformRequestBody: (body) => messagesLast(promptCache === false ? body : withClaudeMarks(body, promptCache)),
    fetch: connection.streamFetch,
  })
}

function unknownModel(id: string, modelID: string, known: readonly ModelInfo[]): NotFoundError {
  const ids = known.map((model) => model.id)
  const [near] = nearIDs(modelID, ids)
  const meant = near === undefined ? "" : ` Did you mean "${near}"?`
  return new NotFoundError(`Model "${id}/${modelID}" is not known.${meant} Known for "${id}": ${ids.join(", ")}.`)
}
