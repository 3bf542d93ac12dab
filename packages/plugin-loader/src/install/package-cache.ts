import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PluginError } from "../problem.ts"
import { contentHash, statHash } from "./fingerprint.ts"
import { neededPeers, readLock } from "./lockfile.ts"
import { type Npm, npmInstall } from "./npm.ts"
import { type InstallRecord, readRecord, writeRecord } from "./record.ts"

export interface InstalledPackage {
  readonly record: InstallRecord
  /** Absolute directory of the installation. */
  readonly root: string
  /** Absolute directory of the plugin's own package. */
  readonly directory: string
}

/**
 * Packages installed by npm without their scripts, one folder per spec. The resolved version stays until `update` and
 * loads without a network. Several processes may share a cache; a killed process leaves no incomplete package.
 */
export interface PackageCache {
  /** Returns the installed package, or installs it. Throws PluginError. Rejects with the signal's reason on abort. */
  get(spec: string, signal?: AbortSignal): Promise<InstalledPackage>
  /** Returns the installed package without verifying it; undefined if it is not installed. */
  find(spec: string): Promise<InstalledPackage | undefined>
  /** Resolves the spec again. Running processes keep the previous version, whose folder stays for a day. */
  update(spec: string, signal?: AbortSignal): Promise<InstalledPackage>
  /** Returns true if every installed file is unchanged; false if nothing is installed. Reads all files. */
  verify(spec: string): Promise<boolean>
  /** Removes everything that is installed for a spec. */
  remove(spec: string): Promise<void>
}

export interface PackageCacheOptions {
  /** Absolute. Created when needed. */
  readonly directory: string
  readonly npm: Npm
  /** Packages that need not be installed, because modules get them from the host. */
  readonly provided: readonly string[]
}

const BEGUN = ".begun-"
const HOUR_MS = 3_600_000

export function createPackageCache({ directory: cache, npm, provided }: PackageCacheOptions): PackageCache {
  const homeOf = (spec: string) => join(cache, folderName(spec))

  async function install(spec: string, signal?: AbortSignal): Promise<InstalledPackage> {
    const home = homeOf(spec)
    await mkdir(home, { recursive: true, mode: 0o700 })
    await clear(home)
    const begun = await mkdtemp(join(home, BEGUN))
    try {
      await writeFile(join(begun, "package.json"), '{ "private": true }\n')
      await npmInstall(npm, { directory: begun, spec, omitPeers: true, ...(signal ? { signal } : {}) })
      if (neededPeers(await readLock(begun), provided).length > 0) {
        await npmInstall(npm, { directory: begun, spec, omitPeers: false, ...(signal ? { signal } : {}) })
      }
      const described = await describe(spec, begun)
      const folder = `${described.version}-${begun.slice(-6)}`
      await rename(begun, join(home, folder))
      const record: InstallRecord = { ...described, folder, stat: await statHash(join(home, folder), described.name) }
      const before = (await readRecord(home))?.folder
      await writeRecord(home, record)
      // The day starts now.
      if (before !== undefined) await utimes(join(home, before), new Date(), new Date()).catch(() => undefined)
      return located(home, record)
    } finally {
      await rm(begun, { recursive: true, force: true })
    }
  }

  return {
    async get(spec, signal) {
      const home = homeOf(spec)
      const record = await readRecord(home)
      return record ? await checked(home, record) : await install(spec, signal)
    },
    async find(spec) {
      const home = homeOf(spec)
      const record = await readRecord(home)
      return record && located(home, record)
    },
    update: install,
    async verify(spec) {
      const home = homeOf(spec)
      const record = await readRecord(home)
      return record !== undefined && (await contentHash(located(home, record).root).catch(() => "")) === record.content
    },
    remove: (spec) => rm(homeOf(spec), { recursive: true, force: true }),
  }
}

/** Describes the result of npm in the folder of the installation. */
async function describe(spec: string, root: string): Promise<Omit<InstallRecord, "folder" | "stat">> {
  const lock = await readLock(root)
  const name = Object.keys(lock[""]?.dependencies ?? {})[0]
  const entry = name === undefined ? undefined : lock[`node_modules/${name}`]
  if (name === undefined || entry === undefined) {
    throw new PluginError(
      "install",
      `npm says that it has installed ${spec}, and has not. Try again with another version of npm.`,
    )
  }
  const { version = "0.0.0", integrity } = entry
  const content = await contentHash(root)
  return { format: 1, spec, name, version, ...(integrity === undefined ? {} : { integrity }), content }
}

/** Times may change without contents, as in a copy. Then the contents decide. */
async function checked(home: string, record: InstallRecord): Promise<InstalledPackage> {
  const installed = located(home, record)
  const unreadable = async (): Promise<never> => {
    throw new PluginError(
      "install",
      `${record.spec} is not as it was installed: ${installed.root} was changed or has lost files. ` +
        "Update the plugin, which installs it again.",
      { file: installed.root },
    )
  }
  const found = await statHash(installed.root, record.name).catch(unreadable)
  if (found === record.stat) return installed
  if ((await contentHash(installed.root).catch(unreadable)) !== record.content) return await unreadable()
  // Makes the next check fast again, if the cache is writable.
  await writeRecord(home, { ...record, stat: found }).catch(() => undefined)
  return installed
}

function located(home: string, record: InstallRecord): InstalledPackage {
  const root = join(home, record.folder)
  return { record, root, directory: join(root, "node_modules", record.name) }
}

/** Removes unfinished installations of killed processes, and versions that were not used for a day. */
async function clear(home: string): Promise<void> {
  const current = (await readRecord(home))?.folder
  for (const name of await readdir(home)) {
    if (name === current || name === "current.json") continue
    const { mtimeMs } = await stat(join(home, name)).catch(() => ({ mtimeMs: Date.now() }))
    const maxAgeMs = name.startsWith(BEGUN) || name.startsWith("current.json.") ? HOUR_MS : 24 * HOUR_MS
    if (Date.now() - mtimeMs > maxAgeMs) await rm(join(home, name), { recursive: true, force: true })
  }
}

/** Keeps letters, digits, `.`, `_`, `-`, `@` and `^`, replaces `/` by `+` and everything else by `%` with its code. */
export function folderName(spec: string): string {
  return Array.from(Buffer.from(spec), (byte) => {
    const character = String.fromCharCode(byte)
    if (character === "/") return "+"
    return /[\w.@^-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`
  }).join("")
}
