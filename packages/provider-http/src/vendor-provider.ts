import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { Model, ModelInfo, Provider } from "@pawl/core"
import { type AdaptCall, aiSdkModel, classify } from "@pawl/provider-ai-sdk"
import { explained } from "./explained.ts"
import { type Connection, type ConnectionOptions, type ConnectionPlan, createConnection } from "./connection.ts"
import { type ConfiguredModel, toModelInfo } from "./model-info.ts"
import { withRequestWords } from "./request-words.ts"
import { isUnknownModel, withNearModels } from "./unknown-model.ts"

/** What every vendor's provider takes. */
export interface VendorOptions extends ConnectionOptions {
  /** As in `anthropic/claude-sonnet-5`. Default: the vendor's own. */
  id?: string | undefined
  /** For people. Default: the vendor's name. */
  name?: string | undefined
  /** Models besides those of the catalogue, and what differs of those in it. */
  models?: readonly ConfiguredModel[] | undefined
  /** How long a vendor that is told keeps a prompt in its cache after its last use; false asks for none. Default: `5m`. */
  promptCache?: "5m" | "1h" | false | undefined
}

/** What makes one vendor's provider. */
export interface Vendor extends Omit<ConnectionPlan, "id" | "needsKey"> {
  readonly id: string
  readonly name: string
  /** What is known of models beforehand, the best first. */
  readonly catalogue: readonly ModelInfo[]
  /** What can be told of a model that is in no catalogue. */
  readonly unknownModel: (id: string) => ModelInfo
  /** Imports the vendor's SDK: called at the first request. */
  readonly load: (connection: Connection) => Promise<(modelID: string) => LanguageModelV4>
  /** The name under which the SDK looks for `settings.options`. */
  readonly optionsKey: string
  readonly adapt: (info: ModelInfo) => AdaptCall
}

/**
 * A vendor's provider. Nothing is loaded or sent before the first request. Every id is taken for a model's: vendors
 * have new ones before any catalogue.
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
      // One model for each id: it keeps the converted messages of its requests.
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

/** Another name for a model is also what people see. */
function named(info: ModelInfo | undefined, name: string): ModelInfo | undefined {
  return info && { ...info, name }
}
