import type { Definitions } from "./definition.ts"
import { findFiles } from "./find-files.ts"
import type { ReadDefinitionsOptions } from "./options.ts"
import { definitionPlaces } from "./places.ts"

/**
 * Reads the agents, commands, skills, tool files and plugin files for a directory. Precedence, lowest first: files for
 * Claude Code and others in `.claude` and `.agents`; the user directory of OpenCode, then of pawl, then `~/.opencode`;
 * in each directory from the root of the worktree down `.opencode`, then `.pawl`; `skillDirectories`. A definition
 * replaces all of those with the same name and a lower precedence. An invalid file is reported as a problem and does
 * not affect the others. Rejects with a ConfigError only if the home directory is missing.
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
  // Loaded on demand, since loading the parser and the schema takes longer than finding the files.
  const { collectDefinitions } = await import("./collect.ts")
  return { ...(await collectDefinitions(files, failures, options)), plugins }
}
