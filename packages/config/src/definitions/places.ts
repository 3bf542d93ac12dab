import path from "node:path"
import { configPaths } from "../config-paths.ts"
import { openCodeDirectory } from "../opencode/directory.ts"
import { projectDirectories } from "../project-directories.ts"
import type { ReadDefinitionsOptions } from "./options.ts"
import { readSwitches } from "./switches.ts"

/** The kind and format of the definitions in a folder. */
export type FolderKind = "agent" | "mode" | "command" | "skill" | "tool" | "plugin" | "claude-agent" | "claude-command"

/** A directory that may hold definitions. */
export interface Place {
  readonly directory: string
  readonly isProject: boolean
  /** The kind of each folder in it, by name; a single kind if the directory itself is such a folder. */
  readonly folders: Readonly<Record<string, FolderKind>> | FolderKind
}

const OWN_FOLDERS: Readonly<Record<string, FolderKind>> = {
  agent: "agent",
  agents: "agent",
  command: "command",
  commands: "command",
  mode: "mode",
  modes: "mode",
  plugin: "plugin",
  plugins: "plugin",
  skill: "skill",
  skills: "skill",
  tool: "tool",
  tools: "tool",
}

/** Lists folders of definitions, lowest precedence first, without reading. Throws ConfigError if the home is missing. */
export function definitionPlaces(options: ReadDefinitionsOptions): Place[] {
  const { directory, worktree, env, home, skillDirectories = [] } = options
  const project = projectDirectories(directory, worktree)
  const foreign = foreignFolders(options)
  const inHome = (name: string) => (home ? [path.join(home, name)] : [])
  const own = (each: string, isProject: boolean): Place => ({ directory: each, isProject, folders: OWN_FOLDERS })
  const places: Place[] = [
    ...foreign.flatMap(({ name, folders }) =>
      inHome(name).map((each) => ({ directory: each, isProject: false, folders })),
    ),
    ...project.flatMap((each) =>
      foreign.map(({ name, folders }) => ({ directory: path.join(each, name), isProject: true, folders })),
    ),
    ...openCodeDirectory(options).map((each) => own(each, false)),
    own(configPaths({ env, home }).config, false),
    ...inHome(".opencode").map((each) => own(each, false)),
    ...project.flatMap((each) => [".opencode", ".pawl"].map((name) => own(path.join(each, name), true))),
    ...skillDirectories.map((each): Place => ({ ...each, folders: "skill" })),
  ]
  // If the home directory is also the project, its files belong to the user.
  const isFirst = (place: Place, index: number) =>
    places.findIndex((each) => each.directory === place.directory && typeof each.folders === typeof place.folders) ===
    index
  return places.filter(isFirst)
}

/** A folder whose files may be definitions of one kind. */
export interface DefinitionFolder {
  /** Absolute. It may be missing. */
  readonly path: string
  readonly kind: "agent" | "command" | "skill" | "tool" | "plugin"
}

/** Lists folders in the formats of pawl and OpenCode, for watching. Throws ConfigError if the home is missing. */
export function definitionFolders(options: ReadDefinitionsOptions): DefinitionFolder[] {
  return definitionPlaces(options)
    .filter(({ folders }) => folders === OWN_FOLDERS)
    .flatMap(({ directory }) =>
      Object.entries(OWN_FOLDERS).map(([name, kind]) => {
        return {
          path: path.join(directory, name),
          kind: (kind === "mode" ? "agent" : kind) as DefinitionFolder["kind"],
        }
      }),
    )
}

/** Lists folders of other programs. */
function foreignFolders({ env }: ReadDefinitionsOptions) {
  const { claudeCode, claudeSkills, agentsSkills } = readSwitches(env)
  const claude: Record<string, FolderKind> = {
    ...(claudeCode ? { agents: "claude-agent", commands: "claude-command" } : {}),
    ...(claudeSkills ? { skills: "skill" } : {}),
  }
  const agents: Record<string, FolderKind> = agentsSkills ? { skills: "skill" } : {}
  return [
    { name: ".claude", folders: claude },
    { name: ".agents", folders: agents },
  ].filter(({ folders }) => Object.keys(folders).length > 0)
}
