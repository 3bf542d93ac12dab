import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** What a spec was resolved to. Beside the folders of its versions, and what makes one of them the current. */
export interface InstallRecord {
  readonly format: 1
  readonly spec: string
  /** Under which it lies in `node_modules`: the package's, or of an alias. */
  readonly name: string
  /** Exact. */
  readonly version: string
  /** Of the plugin's archive, from npm's lockfile; absent for what comes from no registry. */
  readonly integrity?: string
  /** The folder's name. */
  readonly folder: string
  /** Of all that was installed. */
  readonly content: string
  readonly stat: string
}

const FILE = "current.json"

/** Undefined where nothing is installed, or what is there is no record. */
export async function readRecord(home: string): Promise<InstallRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(join(home, FILE), "utf8")) as Partial<InstallRecord>
    return record.format === 1 && record.folder !== undefined ? (record as InstallRecord) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whole or not at all, whoever else writes at the same time. */
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
