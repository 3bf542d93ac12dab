import type { Definitions } from "./definition.ts"
import { findFiles } from "./find-files.ts"
import type { ReadDefinitionsOptions } from "./options.ts"
import { definitionPlaces } from "./places.ts"

/**
 * The agents, commands, skills and files of tools and plugins for a directory. Lowest to highest: what is written for Claude Code and
 * others in `.claude` and `.agents`; OpenCode's directory for the user, pawl's own, `~/.opencode`; from the root of the
 * worktree down `.opencode`, then `.pawl`; `skillDirectories`. Of a name the highest counts, as a whole. What is wrong
 * with a file is a problem, and the others are read all the same. Rejects with a ConfigError for want of a home alone.
 */
export async function readDefinitions(options: ReadDefinitionsOptions): Promise<Definitions> {
  const found = await findFiles(definitionPlaces(options), options.worktree ?? options.directory)
  const { failures } = found
  const files = found.files.filter(({ kind }) => kind !== "plugin")
  const plugins = found.files
    .filter(({ kind }) => kind === "plugin")
    .map(({ file, isProject }) => ({ source: file, isProject }))
  if (files.length === 0 && failures.length === 0) {
    return { agents: [], commands: [], skills: [], tools: [], plugins, problems: [] }
  }
  // The parser and the schema cost more than all the looking around.
  const { collectDefinitions } = await import("./collect.ts")
  return { ...(await collectDefinitions(files, failures, options)), plugins }
}
