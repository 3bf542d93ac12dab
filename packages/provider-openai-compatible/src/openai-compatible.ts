import { type Model, type ModelInfo, NotFoundError, type Provider, ProviderError } from "@pawl/core"
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
  /** For people. Default: the id. */
  name?: string
  /** Where the API begins, as in `http://127.0.0.1:11434/v1`. */
  baseURL: string
  /** Local servers need none. Blanks around it, such as the end of a line, are left out. */
  apiKey?: string | undefined
  /** The models there are. Without any, the server is asked for its list, and every id is taken for a model's. */
  models?: readonly ConfiguredModel[]
  /**
   * How long Claude's prompts stay in Anthropic's cache after their last use, where a gateway takes the marks for it; false
   * sends none. Default: `5m` for OpenRouter, `false` for others.
   */
  promptCache?: CacheLifetime | false | undefined
  /** Milliseconds that the server may take to give its list. Default: 2 s. */
  listTimeout?: number | undefined
  /** How to start the server, a whole sentence: said where it cannot be reached. */
  startHint?: string | undefined
}

/**
 * A provider for any server that speaks the OpenAI chat completions API. Nothing is loaded or sent before the first
 * request. The bytes of a request are the beginning of the next one's, but for the closing `]}`.
 */
export function openAICompatible(options: OpenAICompatibleOptions): Provider {
  const { id, baseURL, promptCache = takesMarks(baseURL) && "5m" } = options
  // Programs that name no environment expect their own proxies.
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
      // Many chat templates of local models take one system message only.
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
