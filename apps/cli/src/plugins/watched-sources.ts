import { join } from "node:path"
import { definitionFolders, projectDirectories } from "@pawl/config"
import type { WatchedSource } from "@pawl/plugin-loader"
import type { Host } from "../host.ts"
import type { DefinedSettings } from "../settings/definitions.ts"

const CONFIGURATIONS = ["pawl.json", "pawl.jsonc", ".mcp.json"]

/** Everything whose change changes what sessions work with; most of it need not be there. `files`: of plugins. */
export function watchedSources(
  { directory, worktree, configDirectory, layers }: DefinedSettings,
  files: readonly string[],
  { environment: env, home }: Pick<Host, "environment" | "home">,
): WatchedSource[] {
  const places = [configDirectory, ...projectDirectories(directory, worktree)]
  const written = layers.flatMap(({ source }) => (source.startsWith("/") ? [source] : []))
  const configurations = [...places.flatMap((place) => CONFIGURATIONS.map((name) => join(place, name))), ...written]
  return [
    ...[...new Set(configurations)].map((path) => ({ path, kind: "configuration" })),
    ...definitionFolders({ directory, worktree, env, home }).filter(({ kind }) => kind !== "skill"),
    ...files.map((path) => ({ path, kind: "plugin" })),
  ]
}
