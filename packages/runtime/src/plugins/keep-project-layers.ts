import { resolve } from "node:path"
import { mergeLayers } from "@pawl/config"
import type { DefinedSettings } from "../config/definitions.ts"
import type { Layer } from "@pawl/config/layer"

/** Returns the old settings with the user's current configuration. Layers of the project stay unchanged. */
export function withProjectLayers(was: DefinedSettings, now: Pick<DefinedSettings, "layers">): DefinedSettings {
  const own = now.layers.filter(({ isProject }) => !isProject)
  const layers = [
    ...own.filter((layer) => isBelowProject(layer)),
    ...was.layers.filter(({ isProject }) => isProject),
    ...own.filter((layer) => !isBelowProject(layer)),
  ]
  return { ...was, layers, config: mergeLayers(layers).config }
}

/** Returns true for files and organizations. Other sources, such as a variable, take precedence over the project. */
function isBelowProject({ source, kind }: Layer): boolean {
  return resolve(source) === source || kind === "organization"
}
