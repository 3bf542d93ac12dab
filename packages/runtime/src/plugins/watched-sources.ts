import { join } from "node:path"
import { configFiles, definitionFolders, projectDirectories } from "@pawl/config"
import type { WatchedSource } from "@pawl/plugin-loader"
import type { RuntimeHost } from "../host.ts"
import { organizationsFile } from "../organization/organization-store.ts"
import type { DefinedSettings } from "../config/definitions.ts"

/**
 * Returns all files and directories whose change affects sessions; they may be missing. `files`: local files of
 * plugins.
 */
export function watchedSources(
  { directory, worktree, dataDirectory, layers }: DefinedSettings,
  files: readonly string[],
  { environment: env, home }: Pick<RuntimeHost, "environment" | "home">,
): WatchedSource[] {
  const servers = projectDirectories(directory, worktree).map((folder) => join(folder, ".mcp.json"))
  const written = layers.flatMap(({ source }) => (source.startsWith("/") ? [source] : []))
  const possible = configFiles({ directory, worktree, env, home })
  const configurations = [...possible, ...servers, ...written, organizationsFile(dataDirectory)]
  return [
    ...[...new Set(configurations)].map((path) => ({ path, kind: "configuration" })),
    ...definitionFolders({ directory, worktree, env, home }).filter(({ kind }) => kind !== "skill"),
    ...files.map((path) => ({ path, kind: "plugin" })),
  ]
}
