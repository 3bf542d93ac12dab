import { join } from "node:path"
import type { Layer } from "@pawl/config/layer"
import { configEffects } from "./config-effects.ts"
import type { ReadFile } from "./content-reader.ts"
import { contentEffects } from "./content-effects.ts"
import type { ProjectContent } from "./project-content.ts"

/** An effect that a project's file has once it is trusted. */
export interface Effect {
  readonly file: Pick<ReadFile, "path" | "kind" | "link">
  /** At least one; each tells what would happen: `runs … after edits`. */
  readonly does: readonly string[]
  /** In a few words, for a notice: `provider, plugin`. */
  readonly what: string
}

/** In the order of the files. Those without any are left out: texts, and what others import. */
export function effectsOf({ files, root }: ProjectContent, layers: readonly Layer[]): Effect[] {
  return files.flatMap((file): Effect[] => {
    const layer = layers.find(({ source, isProject }) => isProject && source === join(root, file.path))
    const { does, what } = layer ? configEffects(layer) : contentEffects(file)
    return does.length === 0 ? [] : [{ file, does, what }]
  })
}
