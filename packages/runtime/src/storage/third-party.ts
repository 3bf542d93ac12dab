import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { hidePasswords } from "@pawl/config/hide-passwords"
import type { MaintainedStorage } from "@pawl/core/storage"
import { UsageError } from "@pawl/config/usage-error"
import type { StorageChoice } from "../config/storage-choice.ts"
import { findPackage } from "./storage-package.ts"

const PACKAGE_NAME = /^(?:@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~-][a-z\d._~-]*$/

const METHODS = [
  ...["commit", "getSession", "listSessions", "readContext", "readChanges", "readMessages", "watch", "removeSession"],
  ...["acquire", "search", "stats", "verify", "rebuild", "gc", "close"],
] as const satisfies readonly (keyof MaintainedStorage)[]

/** Opens `npm:<package>#<url>`: the package gets the URL. Throws UsageError where the package is not what it should be. */
export async function openThirdParty(choice: StorageChoice): Promise<MaintainedStorage> {
  const { name, url } = parse(choice)
  const file = await findPackage(name, [...choice.packageDirectories, dirname(fileURLToPath(import.meta.url))])
  if (file === undefined) throw notInstalled(name, choice)
  const open = openFunction(await load(name, file), name)
  const storage: unknown = await open(url)
  requireStorage(storage, name)
  return storage
}

function parse({ url, source }: StorageChoice): { name: string; url: string } {
  const [, name = "", rest = ""] = /^npm:([^#]*)#?(.*)$/is.exec(url) ?? []
  if (PACKAGE_NAME.test(name)) return { name, url: rest }
  throw new UsageError(
    `${source}: "${hidePasswords(url)}" names no package.`,
    "Write npm:<package>#<url>, as in npm:@acme/pawl-storage#redis://localhost",
  )
}

function notInstalled(name: string, { packageDirectories, source }: StorageChoice): UsageError {
  const [first] = packageDirectories
  return new UsageError(
    `The package "${name}", which ${source} wants to store sessions, is not installed.`,
    first === undefined ? `npm install --global ${name}` : `npm install --prefix ${first} ${name}`,
  )
}

async function load(name: string, file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(file).href)) as object
  } catch (cause) {
    throw new Error(`The package "${name}" could not be loaded from ${file}: ${String(cause)}`, { cause })
  }
}

function openFunction(module: object, name: string): (url: string) => Promise<unknown> {
  if ("openStorage" in module && typeof module.openStorage === "function") {
    return module.openStorage as (url: string) => Promise<unknown>
  }
  throw new UsageError(
    `The package "${name}" has no function openStorage: it is no storage for pawl.`,
    "Look in its description for what it is, or for a newer version: npm view " + name,
  )
}

function requireStorage(storage: unknown, name: string): asserts storage is MaintainedStorage {
  const given = typeof storage === "object" && storage !== null ? (storage as Partial<Record<string, unknown>>) : {}
  const { location, blobs } = given
  const hasBlobs = typeof blobs === "object" && blobs !== null && "put" in blobs && "get" in blobs
  const missing = [
    ...(typeof location === "string" ? [] : ["location"]),
    ...METHODS.filter((method) => typeof given[method] !== "function"),
    ...(hasBlobs ? [] : ["blobs"]),
  ]
  if (missing.length === 0) return
  throw new UsageError(
    `What the package "${name}" opened is no storage for this version of pawl: ${missing.join(", ")} missing.`,
    `A newer version may have what is needed: npm view ${name} versions`,
  )
}
