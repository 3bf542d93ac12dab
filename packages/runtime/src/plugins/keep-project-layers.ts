import { resolve } from "node:path"
import { mergeLayers } from "@pawl/config"
import type { DefinedSettings } from "../config/definitions.ts"
import type { Layer } from "@pawl/config/layer"

/** The settings as they were, with what the user's own configuration says by now: what a project supplies stays as it was. */
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
