import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PluginError } from "../problem.ts"
import { contentHash, statHash } from "./fingerprint.ts"
import { neededPeers, readLock } from "./lockfile.ts"
import { type Npm, npmInstall } from "./npm.ts"
import { type InstallRecord, readRecord, writeRecord } from "./record.ts"

export interface InstalledPackage {
  readonly record: InstallRecord
  /** Absolute: what npm installed into. */
  readonly root: string
  /** Absolute: the plugin's own package. */
  readonly directory: string
}

/**
 * Packages installed by npm, without their scripts, each spec in a folder of its own. What a spec is resolved to stays
 * until `update`, and loads without a network. Processes may share a cache, and may be killed: what is there is whole.
 */
export interface PackageCache {
  /** What is there, else installed now. Throws PluginError; aborting rejects with the signal's reason. */
  get(spec: string, signal?: AbortSignal): Promise<InstalledPackage>
  /** What is there; undefined where nothing is. Installs nothing, and does not look whether it is whole. */
  find(spec: string): Promise<InstalledPackage | undefined>
  /** Resolves the spec anew. A process that has the version before goes on with it; its folder stays for a day. */
  update(spec: string, signal?: AbortSignal): Promise<InstalledPackage>
  /** Whether every file that was installed for a spec is what it was; false where nothing is. Reads them all. */
  verify(spec: string): Promise<boolean>
  /** Takes away all that is installed for a spec. */
  remove(spec: string): Promise<void>
}

export interface PackageCacheOptions {
  /** Absolute; made when it is needed. */
  readonly directory: string
  readonly npm: Npm
  /** Packages that need not be installed because modules get them from elsewhere. */
  readonly provided: readonly string[]
}

const BEGUN = ".begun-"
const HOUR = 3_600_000

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
      // The day begins now.
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

/** What npm made of a spec, in the folder that it installed into. */
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

/** Times may have changed without contents, as after a copy: then contents decide. */
async function checked(home: string, record: InstallRecord): Promise<InstalledPackage> {
  const installed = located(home, record)
  const unreadable = async (): Promise<never> => {
    throw new PluginError(
      "install",
      `${record.spec} is not as it was installed: ${installed.root} was changed or has lost files. ` +
        "Update the plugin, which installs it anew.",
      { file: installed.root },
    )
  }
  const found = await statHash(installed.root, record.name).catch(unreadable)
  if (found === record.stat) return installed
  if ((await contentHash(installed.root).catch(unreadable)) !== record.content) return await unreadable()
  // The next check is cheap again; where the cache cannot be written to, it is not.
  await writeRecord(home, { ...record, stat: found }).catch(() => undefined)
  return installed
}

function located(home: string, record: InstallRecord): InstalledPackage {
  const root = join(home, record.folder)
  return { record, root, directory: join(root, "node_modules", record.name) }
}

/** What processes that were killed have begun, and versions that nobody has used for a day. */
async function clear(home: string): Promise<void> {
  const current = (await readRecord(home))?.folder
  for (const name of await readdir(home)) {
    if (name === current || name === "current.json") continue
    const { mtimeMs } = await stat(join(home, name)).catch(() => ({ mtimeMs: Date.now() }))
    const patience = name.startsWith(BEGUN) || name.startsWith("current.json.") ? HOUR : 24 * HOUR
    if (Date.now() - mtimeMs > patience) await rm(join(home, name), { recursive: true, force: true })
  }
}

/** Letters, digits, `.`, `_`, `-`, `@` and `^` as they are, `/` as `+`, the rest as `%` with its code. */
export function folderName(spec: string): string {
  return Array.from(Buffer.from(spec), (byte) => {
    const character = String.fromCharCode(byte)
    if (character === "/") return "+"
    return /[\w.@^-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`
  }).join("")
}
