import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** The resolved version of a spec. The record is next to the folders of the versions and selects the current one. */
export interface InstallRecord {
  readonly format: 1
  readonly spec: string
  /** Name in `node_modules`: the package's name or an alias. */
  readonly name: string
  /** Exact version. */
  readonly version: string
  /** Integrity of the plugin's archive from npm's lockfile; missing for packages that are not from a registry. */
  readonly integrity?: string
  /** Name of the version's folder. */
  readonly folder: string
  /** Hash of everything that was installed. */
  readonly content: string
  readonly stat: string
}

const FILE = "current.json"

/** Returns undefined if nothing is installed or the record is invalid. */
export async function readRecord(home: string): Promise<InstallRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(join(home, FILE), "utf8")) as Partial<InstallRecord>
    return record.format === 1 && record.folder !== undefined ? (record as InstallRecord) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Atomic, also with concurrent writers. */
export async function writeRecord(home: string, record: InstallRecord): Promise<void> {
  const temporary = join(home, `${FILE}.${randomUUID()}`)
  try {
    await writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`, { flag: "wx", mode: 0o600 })
    await rename(temporary, join(home, FILE))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
