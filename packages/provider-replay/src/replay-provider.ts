import { type Model, NotFoundError, type Provider } from "@pawl/core/provider"
import { type ReplayOptions, replayModel } from "./replay-model.ts"
import { readScript } from "./script/read-script.ts"
import { infoOf } from "./script/script.ts"

export interface ReplayProviderOptions extends ReplayOptions {
  /** The file of each model, by the model's id. */
  scripts: Readonly<Record<string, string | URL>>
  /** Base directory of relative paths. Default: the working directory. */
  directory?: string
}

/**
 * Provides scripts as models: `replay/<id>`. Reads a script when its model is first requested, and rejects then if it
 * is invalid.
 */
export function replayProvider({ scripts, directory, ...options }: ReplayProviderOptions): Provider {
  const id = "replay"
  const models = new Map<string, Promise<Model>>()

  async function load(modelID: string, location: string | URL): Promise<Model> {
    return replayModel(await readScript(location, directory), { providerID: id, modelID }, options)
  }

  return {
    id,
    name: "Replay",
    async models() {
      const entries = Object.entries(scripts)
      return Promise.all(
        entries.map(async ([modelID, location]) => infoOf(modelID, (await readScript(location, directory)).header)),
      )
    },
    async model(modelID) {
      const location = Object.hasOwn(scripts, modelID) ? scripts[modelID] : undefined
      if (location === undefined) throw unknownModel(modelID, Object.keys(scripts))
      // Cached, since the model counts which replies were played.
      const model = models.get(modelID) ?? load(modelID, location)
      models.set(modelID, model)
      try {
        return await model
      } catch (error) {
        models.delete(modelID)
        throw error
      }
    },
  }
}

function unknownModel(modelID: string, known: readonly string[]): NotFoundError {
  const list = known.length === 0 ? "It has no scripts." : `Known for "replay": ${known.join(", ")}.`
  return new NotFoundError(`Model "replay/${modelID}" is not known. ${list}`)
}
