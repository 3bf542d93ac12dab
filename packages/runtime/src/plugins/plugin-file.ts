import { readFile, stat } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { type Config, documentValue, editDocument, isPluginPath, pluginName, projectDirectories } from "@pawl/config"
import { UsageError } from "@pawl/config/usage-error"
import { changeConfigFile } from "../config/config-file.ts"
import type { Settings } from "../config/settings.ts"
import { ownPlugin } from "./own-plugins.ts"

export type WrittenPlugin = NonNullable<Config["plugin"]>[number]

/**
 * Returns the configuration file to which a plugin is added: the nearest existing one, else a new one in the directory.
 * An existing file of OpenCode counts too, because a new file beside it would replace it.
 */
export async function pluginFile(
  {
    directory,
    worktree,
    configDirectory,
    layers,
  }: Pick<Settings, "directory" | "worktree" | "configDirectory" | "layers">,
  isGlobal: boolean,
): Promise<string> {
  const directories = isGlobal ? [configDirectory] : projectDirectories(directory, worktree).toReversed()
  for (const folder of directories) {
    for (const name of ["pawl.jsonc", "pawl.json"]) if (await isFile(join(folder, name))) return join(folder, name)
    const kind = isGlobal ? "global" : "project"
    const isHere = (source: string) => isGlobal || [folder, join(folder, ".opencode")].includes(dirname(source))
    const read = layers.findLast((layer) => layer.kind === kind && isHere(layer.source))
    if (read) return read.source
  }
  return join(directories[0] ?? directory, "pawl.jsonc")
}

/** Returns the plugins that a file lists. Empty if the file is missing or not valid JSON. */
export async function pluginsIn(file: string): Promise<readonly WrittenPlugin[]> {
  const config: unknown = await documentValue(await textOf(file))
  const list = typeof config === "object" && config !== null && "plugin" in config ? config.plugin : undefined
  return Array.isArray(list) ? (list as WrittenPlugin[]) : []
}

/** Adds a plugin to a file, or replaces an entry of the same plugin with another version or other options. */
export async function writePlugin(file: string, plugin: WrittenPlugin): Promise<void> {
  const there = await pluginsIn(file)
  const at = there.findIndex((each) => isSame(specOf(each), specOf(plugin), dirname(file)))
  const old = there[at]
  // Options are kept unless new ones are set.
  const written = Array.isArray(old) && typeof plugin === "string" ? [plugin, old[1]] : plugin
  const isList = there.length > 0
  await editFile(file, isList ? ["plugin", at < 0 ? there.length : at] : ["plugin"], isList ? written : [written])
}

/** Removes every entry of a plugin from a file. False if there was none. */
export async function removePlugin(file: string, spec: string): Promise<boolean> {
  const there = await pluginsIn(file)
  const found = there.flatMap((each, at) => (isSame(specOf(each), spec, dirname(file)) ? [at] : []))
  if (found.length === 0) return false
  if (found.length === there.length) await editFile(file, ["plugin"], undefined)
  // From the end, so that the indexes of the remaining entries stay valid.
  else for (const at of found.toReversed()) await editFile(file, ["plugin", at], undefined)
  return true
}

export function specOf(plugin: WrittenPlugin): string {
  return typeof plugin === "string" ? plugin : plugin[0]
}

/** Returns the absolute path of an entry that is written in a directory. Undefined for the name of a package. */
export function pathOf(written: string, directory: string): string | undefined {
  if (!isPluginPath(written) || written.startsWith("file://")) return undefined
  return resolve(directory, written.replace(/^file:/, ""))
}

/** Returns a path in the form in which a file in this directory writes it. */
export function pathIn(directory: string, path: string): string {
  const below = relative(directory, path)
  return below.startsWith("..") ? path : `./${below}`
}

function isSame(one: string, other: string, base: string): boolean {
  if (isPluginPath(one) !== isPluginPath(other)) return false
  if (isPluginPath(one)) return resolve(base, one) === resolve(base, other)
  const nameOf = (spec: string) => ownPlugin(spec)?.name ?? pluginName(spec)
  return nameOf(one) === nameOf(other)
}

/**
 * Sets one value of a configuration file, and creates the file if it is missing. `undefined` removes the value. The
 * rest of the file stays unchanged.
 */
export async function editFile(file: string, path: readonly (string | number)[], value: unknown): Promise<void> {
  const edit = async (text: string) => {
    return await editDocument(text, [...path], value).catch((error: unknown) => {
      throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, "Correct it, then say this again.")
    })
  }
  await changeConfigFile(file, edit, { mode: 0o644 })
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw error
  })
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
