import { type Model, type ModelInfo, NotFoundError, type Provider, ProviderError } from "@pawl/core"
import { aiSdkModel, classify, type ErrorSource } from "@pawl/provider-ai-sdk"
import { listModels, type Server } from "./list-models.ts"
import { createHTTPFetch } from "./http-fetch.ts"
import { type ConfiguredModel, defaultModelInfo, toModelInfo } from "./model-info.ts"
import { messagesLast } from "./request-body.ts"
import { streamFetch } from "./stream-fetch.ts"

export interface OpenAICompatibleOptions {
  /** As in `acme/small`. */
  id: string
  /** For people. Default: the id. */
  name?: string
  /** Where the API begins, as in `http://127.0.0.1:11434/v1`. */
  baseURL: string
  /** Local servers need none. Blanks around it, such as the end of a line, are left out. */
  apiKey?: string | undefined
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>>
  /** Added to each URL. */
  query?: Readonly<Record<string, string>>
  /** The models there are. Without any, the server is asked for its list, and every id is taken for a model's. */
  models?: readonly ConfiguredModel[]
  /** Milliseconds for a connection to the server to stand; 0 for no limit. Default: 30 s. Not for a `fetch` of your own. */
  connectTimeout?: number
  /** Milliseconds for the whole of a request and its answer; 0, the default, for no limit. */
  timeout?: number
  /** Default: one over node:http, which loads faster than the global one. */
  fetch?: typeof globalThis.fetch
}

/**
 * A provider for any server that speaks the OpenAI chat completions API. Nothing is loaded or sent before the first
 * request. The bytes of a request are the beginning of the next one's, but for the closing `]}`.
 */
export function openAICompatible(given: OpenAICompatibleOptions): Provider {
  const options = { ...given, apiKey: given.apiKey?.trim() }
  const { id, baseURL, apiKey, headers = {}, query = {} } = options
  const fetch = options.fetch ?? createHTTPFetch(process.env, options.connectTimeout)
  const configured = options.models?.map(toModelInfo) ?? []
  const source = errorSource(options)
  const authorization = apiKey ? { authorization: `Bearer ${apiKey}` } : undefined
  const server: Server = { baseURL, query, fetch, headers: { ...authorization, ...headers } }
  const models = new Map<string, Model>()
  let sdk: ReturnType<typeof loadSdk> | undefined

  function create(info: ModelInfo): Model {
    return aiSdkModel({
      ref: { providerID: id, modelID: info.id },
      info,
      async languageModel() {
        checkKey(options, source)
        return (await (sdk ??= loadSdk(server, source, options.timeout))).chatModel(info.id)
      },
      classify: (error) => classify(error, source),
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
      checkKey(options, source)
      return listModels(server, source)
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

async function loadSdk({ baseURL, headers, query, fetch }: Server, source: ErrorSource, timeout?: number) {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  return createOpenAICompatible({
    name: sdkName,
    baseURL,
    headers: { ...headers },
    queryParams: { ...query },
    includeUsage: true,
    transformRequestBody: messagesLast,
    fetch: streamFetch(fetch, source, timeout),
  })
}

function errorSource({ id, baseURL, apiKey, headers = {}, query = {} }: OpenAICompatibleOptions): ErrorSource {
  const secret = /key|token|secret|auth/i
  const others = [...Object.entries(headers), ...Object.entries(query)].filter(([name]) => secret.test(name))
  return {
    providerID: id,
    server: baseURL,
    keyHint: `${apiKey ? "Check" : "Set"} "apiKey" in the options of provider "${id}".`,
    secrets: [...(apiKey ? [apiKey] : []), ...others.map(([, value]) => value)],
  }
}

// No server can have given it out, and HTTP has no place for it: something went wrong when it was copied.
function checkKey({ id, apiKey = "" }: OpenAICompatibleOptions, { keyHint }: ErrorSource): void {
  const character = /[^ -~]/u.exec(apiKey)?.[0]
  if (character === undefined) return
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
  const message = `The API key of provider "${id}" holds a character that cannot be sent, U+${code}. ${keyHint}`
  throw new ProviderError("auth", message, { providerID: id })
}

function unknownModel(id: string, modelID: string, known: readonly ModelInfo[]): NotFoundError {
  const ids = known.map((model) => model.id).join(", ")
  return new NotFoundError(`Model "${id}/${modelID}" is not known. Known for "${id}": ${ids}.`)
}
