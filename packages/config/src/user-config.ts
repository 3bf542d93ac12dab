import path from "node:path"
import { configPaths } from "./config-paths.ts"
import { findSources, isThere, openCodeFiles } from "./find-sources.ts"
import type { ConfigLayer } from "./merge.ts"
import type { ReadConfigOptions } from "./options.ts"
import { displayPath } from "./user-path.ts"
import type { FileSource } from "./source.ts"

export type UserConfigOptions = Pick<ReadConfigOptions, "env" | "home">

/** A file with the text that it would get. */
export interface ProposedFile {
  readonly file: string
  readonly text: string
}

/**
 * Returns the file of the user's own configuration to which changes are written. It may not exist yet. A file of
 * OpenCode would be ignored if there were a file of pawl beside it, so it is used.
 */
export async function userConfigFile({ env, home }: UserConfigOptions): Promise<string> {
  const own = ["pawl.jsonc", "pawl.json"].map((name) => path.join(configPaths({ env, home }).config, name))
  const all = [...own, ...openCodeFiles({ env, home }).toReversed()]
  const isPresent = await Promise.all(all.map(isThere))
  return all[isPresent.indexOf(true)] ?? (own[0] as string)
}

/**
 * Reads the files of the user's own configuration, lowest precedence first, one of them with the text that it would get.
 * Rejects with a ConfigError that lists every problem.
 */
export async function readUserConfig(
  { env, home }: UserConfigOptions,
  proposed?: ProposedFile,
): Promise<readonly ConfigLayer[]> {
  // Below the path of a file no project can be found.
  const options = { directory: path.join(configPaths({ env, home }).config, "pawl.jsonc"), env, home }
  const found = (await findSources(options)).filter((source): source is FileSource => source.kind === "global")
  const files = proposed && !found.some(({ name }) => name === proposed.file) ? [...found, created(proposed)] : found
  const { readLayers } = await import("./read-layers.ts")
  const sources = files.map((source) => (source.name === proposed?.file ? { ...source, text: proposed.text } : source))
  return await readLayers(sources, options)

  function created({ file }: ProposedFile): FileSource {
    return { kind: "global", name: file, label: displayPath(file, options) }
  }
}
