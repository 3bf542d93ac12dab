import { existsSync, realpathSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { PluginError } from "../problem.ts"

/** A plugin's main file and its package. */
export interface PluginFile {
  /** Absolute. */
  readonly entry: string
  /** Absolute directory of the package, or of a single file. */
  readonly directory: string
  readonly package?: PackageJSON
}

export interface PackageJSON {
  readonly name?: string
  readonly version?: string
  readonly main?: string
  readonly exports?: unknown
  readonly engines?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const INDEX = ["ts", "tsx", "js", "mjs", "cjs"].map((suffix) => `index.${suffix}`)

/** Finds the main file for a path, which is a file or a directory. Throws PluginError. */
export async function fileEntry(path: string): Promise<PluginFile> {
  if (!existsSync(path))
    throw new PluginError("resolve", `There is no ${path}. Correct the path, or leave the plugin out.`)
  if (!statSync(path).isDirectory()) return { entry: path, directory: dirname(path) }
  const manifest = await readManifest(path)
  const entry = (manifest && packageEntry(path, manifest)) ?? indexOf(path)
  if (entry === undefined) {
    throw new PluginError(
      "resolve",
      `${path} has no package.json that names a file, and no index file. Add "main" or index.ts.`,
    )
  }
  return { entry, directory: path, ...(manifest ? { package: manifest } : {}) }
}

/** Finds the main file of an installed package. Throws PluginError. */
export async function installedEntry(directory: string): Promise<PluginFile> {
  const manifest = (await readManifest(directory)) ?? {}
  const entry = packageEntry(directory, manifest) ?? (manifest.exports === undefined ? indexOf(directory) : undefined)
  if (entry !== undefined) return { entry, directory, package: manifest }
  const name = manifest.name ?? directory
  throw new PluginError(
    "resolve",
    `${name} names no file to load, so it is not a plugin. Its author must set "main" or "exports".`,
    {
      file: join(directory, "package.json"),
    },
  )
}

/**
 * Order: `exports["./server"]`, which is only for plugins, then `main`, then `exports["."]`. For packages that use
 * `@pawl/plugin`, `exports["."]` precedes `main`, as in any package.
 */
function packageEntry(directory: string, manifest: PackageJSON): string | undefined {
  const { exports, main, dependencies, peerDependencies } = manifest
  const table = isRecord(exports) ? exports : {}
  const subpaths = Object.keys(table).some((key) => key.startsWith("."))
  const usual = target(subpaths ? table["."] : exports)
  const isOwn = "@pawl/plugin" in { ...dependencies, ...peerDependencies }
  const named = [target(table["./server"]), ...(isOwn ? [usual, main] : [main, usual])]
  for (const each of named) {
    if (typeof each !== "string" || each === "") continue
    const path = inside(directory, each)
    const found = [path, `${path}.js`, `${path}.ts`, ...INDEX.map((index) => join(path, index))].find(isFile)
    if (found !== undefined) return checked(directory, found)
    throw new PluginError("resolve", `Its package.json names ${each}, which is not there.`, {
      file: join(directory, "package.json"),
    })
  }
  return undefined
}

function target(value: unknown): string | undefined {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(target).find((each) => each !== undefined)
  if (!isRecord(value)) return undefined
  for (const [condition, inner] of Object.entries(value)) {
    if (!["node", "import", "default"].includes(condition)) continue
    const found = target(inner)
    if (found !== undefined) return found
  }
  return undefined
}

function inside(directory: string, path: string): string {
  const full = resolve(directory, path)
  const below = relative(directory, full)
  if (!isAbsolute(path) && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below)) return full
  throw new PluginError("resolve", `Its package.json names ${path}, which lies outside of the package.`, {
    file: join(directory, "package.json"),
  })
}

/** A link in the package may lead out of it. */
function checked(directory: string, file: string): string {
  inside(realpathSync(directory), relative(realpathSync(directory), realpathSync(file)))
  return file
}

function indexOf(directory: string): string | undefined {
  return INDEX.map((name) => join(directory, name)).find(isFile)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

async function readManifest(directory: string): Promise<PackageJSON | undefined> {
  const file = join(directory, "package.json")
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  try {
    const manifest: unknown = JSON.parse(text)
    if (isRecord(manifest)) return manifest
  } catch (cause) {
    throw new PluginError("resolve", `Its package.json is not valid JSON: ${String(cause)}.`, { file, cause })
  }
  throw new PluginError("resolve", "Its package.json is not an object.", { file })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
