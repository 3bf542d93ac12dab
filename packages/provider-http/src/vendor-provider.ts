import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Model, ModelInfo, Provider } from "@pawl/core/provider"
import { type AdaptCall, aiSdkModel, classify } from "@pawl/provider-ai-sdk"
import { explained } from "./explained.ts"
import { type Connection, type ConnectionOptions, type ConnectionPlan, createConnection } from "./connection.ts"
import { type ConfiguredModel, toModelInfo } from "./model-info.ts"
import { withRequestWords } from "./request-words.ts"
import { isUnknownModel, withNearModels } from "./unknown-model.ts"

/** Options common to the providers of all vendors. */
export interface VendorOptions extends ConnectionOptions {
  /** As in `anthropic/claude-sonnet-5`. Default: the vendor's own. */
  id?: string | undefined
  /** Shown to users. Default: the vendor's name. */
  name?: string | undefined
  /** Additional models, and changes to those of the catalogue. */
  models?: readonly ConfiguredModel[] | undefined
  /** How long the vendor caches a prompt after its last use; false requests no cache. Default: `5m`. */
  promptCache?: "5m" | "1h" | false | undefined
}

/** The fixed properties of one vendor's provider. */
export interface Vendor extends Omit<ConnectionPlan, "id" | "needsKey"> {
  readonly id: string
  readonly name: string
  /** Known models, the best first. */
  readonly catalogue: readonly ModelInfo[]
  /** Properties of a model that is not in the catalogue. */
  readonly unknownModel: (id: string) => ModelInfo
  /** Imports the vendor's SDK. Called at the first request. */
  readonly load: (connection: Connection) => Promise<(modelID: string) => LanguageModelV4>
  /** The SDK's name for `settings.options`. */
  readonly optionsKey: string
  readonly adapt: (info: ModelInfo) => AdaptCall
}

/**
 * Creates a vendor's provider. Loads and sends nothing before the first request. Accepts every model id, since vendors
 * publish models before they are in the catalogue.
 */
export function vendorProvider(vendor: Vendor, options: VendorOptions): Provider {
  const { id = vendor.id, baseURL = vendor.baseURL } = options
  const connection = createConnection({ ...vendor, id, baseURL, needsKey: true }, options)
  const infos = withConfigured(vendor, options.models ?? [])
  const models = new Map<string, Model>()
  let sdk: ReturnType<Vendor["load"]> | undefined

  function create(info: ModelInfo): Model {
    const words = options.models?.findLast((each) => each.id === info.id) ?? { id: info.id }
    const { vendorID = info.id } = words
    const model = aiSdkModel({
      ref: { providerID: id, modelID: info.id },
      info,
      async languageModel() {
        return (await (sdk ??= vendor.load(connection)))(vendorID)
      },
      connect: connection.connect,
      classify: (error) => classify(error, connection.source),
      optionsKey: vendor.optionsKey,
      adapt: vendor.adapt({ ...info, id: vendorID }),
      middleware: words.middleware,
    })
    const ids = infos.map((each) => each.id)
    const explain = (error: unknown) => (isUnknownModel(error) ? withNearModels(error, info.id, ids) : error)
    return explained(withRequestWords(model, words), explain)
  }

  return {
    id,
    name: options.name ?? vendor.name,
    models: async () => infos,
    async model(modelID) {
      connection.checkKey()
      // One instance per id keeps the converted messages of its requests.
      const known = models.get(modelID)
      if (known !== undefined) return known
      const model = create(infos.find((info) => info.id === modelID) ?? vendor.unknownModel(modelID))
      models.set(modelID, model)
      return model
    },
  }
}

function withConfigured({ catalogue, unknownModel }: Vendor, configured: readonly ConfiguredModel[]): ModelInfo[] {
  const infos = new Map(catalogue.map((info) => [info.id, info]))
  for (const model of configured) {
    const { id, vendorID = id } = model
    infos.set(id, toModelInfo(model, infos.get(id) ?? named(infos.get(vendorID), id) ?? unknownModel(vendorID)))
  }
  return [...infos.values()]
}

/** Users see the configured name of a model. */
function named(info: ModelInfo | undefined, name: string): ModelInfo | undefined {
  return info && { ...info, name }
}
