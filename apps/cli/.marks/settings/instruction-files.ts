import { realpath } from "node:fs/promises"
import { isAbsolute, join, relative, sep } from "node:path"
import { absolute, baseOf } from "./layer.ts"
import type { Settings } from "./settings.ts"

/**
 * Instruction files besides the project's own: the user's `AGENTS.md`, then what the configuration names. A project may
 * name files of its work tree only, since their content is sent to the model.
 */
export async function instructionFiles(
  { layers, configDirectory, directory, worktree }: Settings,
  home: string | undefined,
): Promise<string[]> {
  const files = [join(configDirectory, "AGENTS.md")]
  for (const layer of layers) {
    for (const written of layer.config.instructions ?? []) {
      const file = absolute(written, { base: baseOf(layer) ?? directory, home })
      if (!layer.isProject || (await isInside(file, worktree))) files.push(file)
    }
  }
  return [...new Set(files)]
}

async function isInside(file: string, directory: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([real(file), real(directory)])
  const below = relative(outer, inner)
  return below !== "" && below.split(sep)[0] !== ".." && !isAbsolute(below)
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
