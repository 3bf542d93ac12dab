import { isAbsolute, relative, sep } from "node:path"
import { isPluginPath, pluginName, withoutScheme } from "@pawl/config"
import type { RuntimeHost } from "../host.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import { absolute, baseOf, type Layer } from "@pawl/config/layer"
import { ownPlugin, ownPlugins } from "./own-plugins.ts"

/** A plugin that a configuration or a plugin directory requests. */
export interface RequestedPlugin {
  /** An absolute path, a package spec of npm, or the name of a bundled plugin. */
  readonly spec: string
  readonly kind: "own" | "file" | "npm"
  /** As written in the configuration; for a found file its path. */
  readonly written: string
  readonly options?: Readonly<Record<string, unknown>>
  /** The configuration file that names it, or the directory that contains it. */
  readonly source: string
  /** True if the project requests it. It is present only if the project is trusted. */
  readonly isProject: boolean
}

export interface RequestedPlugins {
  /** In the order in which they run. */
  readonly plugins: readonly RequestedPlugin[]
  /** Messages about invalid entries. */
  readonly problems: readonly string[]
}

const NONE: RequestedPlugins = { plugins: [], problems: [] }

/**
 * Returns the plugins of all layers, lowest precedence first, then plugin files by directory and path. Of two equal
 * plugins the later one counts. Returns none if `PAWL_PURE` is set. Reads no file.
 */
export function requestedPlugins(
  settings: DefinedSettings,
  { home, environment }: Pick<RuntimeHost, "home" | "environment">,
): RequestedPlugins {
  if (isPure(environment)) return NONE
  const { layers, definitions, worktree } = settings
  const named = layers.flatMap(
    (layer) => layer.config.plugin?.map((plugin) => requestedPlugin(plugin, layer, settings, home)) ?? [],
  )
  const found = definitions.plugins.map(({ source, isProject }): RequestedPlugin => {
    return { spec: source, kind: "file", written: source, source, isProject }
  })
  const unnamed = ownPlugins
    .filter(({ isWanted }) => isWanted?.(settings))
    .map(({ name }): RequestedPlugin => ({ spec: name, kind: "own", written: name, source: "pawl", isProject: false }))
  const all = [...unnamed, ...named, ...found]
  if (all.length === 0) return NONE
  const identities = all.map(identity)
  const last = all.filter((_, index) => identities.lastIndexOf(identities[index] ?? "") === index)
  const isOutside = ({ isProject, kind, spec }: RequestedPlugin) =>
    isProject && (kind === "file" ? !isBelow(spec, worktree) : kind === "npm" && isDirectory(spec))
  return {
    plugins: last.filter((plugin) => !isOutside(plugin)),
    problems: last.filter(isOutside).map(({ written, source }) => {
      return `${source}: the plugin ${written} lies outside of the project, which cannot speak for it. Name it in your own configuration.`
    }),
  }
}

/** Returns true if the environment disables plugins, as `--pure` does. */
export function isPure(environment: RuntimeHost["environment"]): boolean {
  return [environment["PAWL_PURE"], environment["OPENCODE_PURE"]].some((value) => value === "1" || value === "true")
}

type Written = NonNullable<Layer["config"]["plugin"]>[number]

/** Resolves an entry of a layer's list. */
export function requestedPlugin(
  plugin: Written,
  layer: Layer,
  { directory }: Pick<DefinedSettings, "directory">,
  home: string | undefined,
): RequestedPlugin {
  const [written, options] = typeof plugin === "string" ? [plugin] : plugin
  const { source, isProject } = layer
  const common = { written, source, isProject, ...(options ? { options } : {}) }
  const own = ownPlugin(written)
  if (own) return { ...common, spec: own.name, kind: "own" }
  if (!isPluginPath(written)) return { ...common, spec: written, kind: "npm" }
  const base = baseOf(layer) ?? directory
  return { ...common, spec: absolute(withoutScheme(written), { base, home }), kind: "file" }
}

function identity({ kind, spec }: RequestedPlugin): string {
  return `${kind}:${kind === "npm" ? pluginName(spec) : spec}`
}

/** Returns true for a spec that npm would only link to: `name@file:…`, `~/…`, `a/../…`. */
function isDirectory(spec: string): boolean {
  return /^(?:[^/]*@|@[^/]+\/[^/]*@)?(?:file:|link:|~?\/|\.\.?\/)|(?:^|\/)\.\.?(?:\/|$)/.test(spec)
}

function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below !== "" && below.split(sep)[0] !== ".." && !isAbsolute(below)
}
