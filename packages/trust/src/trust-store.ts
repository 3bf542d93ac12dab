import { readFile, rename, stat } from "node:fs/promises"
import { join } from "node:path"
import { withLock } from "@pawl/process-lock"
import { privateDirectory, writeDurably } from "@pawl/files/durable-file"
import type { ProjectContent } from "./project-content.ts"

/** A stored decision of the user to trust a project. */
export interface TrustEntry {
  /** Absolute, without links. */
  readonly directory: string
  readonly hash: string
  /** Epoch milliseconds. */
  readonly time: number
  /** By path in the work tree: what has to be the same, to tell later which files changed. */
  readonly files: Readonly<Record<string, string>>
  /** By the spec of a package that the project's configuration names: what it was when it was trusted. */
  readonly packages?: Readonly<Record<string, string>>
}

export interface TrustStore {
  readonly entries: readonly TrustEntry[]
  /** Reason why the entries cannot be read. */
  readonly problem?: string
}

/** Never rejects: what cannot be read trusts nothing. */
export async function readTrustStore(dataDirectory: string): Promise<TrustStore> {
  const path = storePath(dataDirectory)
  try {
    const status = await stat(path)
    // A user who can write the file can trust everything.
    if ((status.mode & 0o022) !== 0) return unusable(path, "others than you may write it: chmod 600 it")
    const entries = entriesOf(JSON.parse(await readFile(path, "utf8")))
    return entries ? { entries } : unusable(path, "it is not what pawl wrote")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { entries: [] }
    return unusable(path, error instanceof SyntaxError ? "it is not valid JSON" : (error as Error).message)
  }
}

/** Trusts what the project supplies now, from its directory, and these packages as they are. Durable when it resolves. */
export async function addTrust(
  dataDirectory: string,
  content: ProjectContent,
  now: number,
  packages: TrustEntry["packages"] & object = {},
): Promise<void> {
  const { directory, hash } = content
  const files = Object.fromEntries(content.files.map(({ path, hash: own, link = "" }) => [path, `${own}${link}`]))
  await update(dataDirectory, (entries) => [
    ...entries.filter((entry) => entry.directory !== directory),
    { directory, hash, time: now, files, ...(Object.keys(packages).length === 0 ? {} : { packages }) },
  ])
}

/** Adds the content of packages that were known only by name when the project was trusted. Durable. */
export async function addTrustedPackages(
  dataDirectory: string,
  { directory, hash }: Pick<TrustEntry, "directory" | "hash">,
  packages: TrustEntry["packages"] & object,
): Promise<void> {
  const isMeant = (entry: TrustEntry) => entry.directory === directory && entry.hash === hash
  await update(dataDirectory, (entries) =>
    entries.map((entry) => (isMeant(entry) ? { ...entry, packages: { ...packages, ...entry.packages } } : entry)),
  )
}

/** Forgets what was trusted in a directory. False where nothing was. */
export async function removeTrust(dataDirectory: string, directory: string): Promise<boolean> {
  const { entries } = await readTrustStore(dataDirectory)
  if (!entries.some((entry) => entry.directory === directory)) return false
  await update(dataDirectory, (all) => all.filter((entry) => entry.directory !== directory))
  return true
}

async function update(
  dataDirectory: string,
  change: (entries: readonly TrustEntry[]) => readonly TrustEntry[],
): Promise<void> {
  await privateDirectory(dataDirectory)
  const path = storePath(dataDirectory)
  await withLock(`${path}.lock`, async () => {
    const { entries, problem } = await readTrustStore(dataDirectory)
    if (problem !== undefined) await rename(path, `${path}.unreadable`)
    const text = JSON.stringify({ version: 1, entries: change(entries) }, undefined, 2)
    await writeDurably(path, (write) => write(`${text}\n`))
  })
}

function storePath(dataDirectory: string): string {
  return join(dataDirectory, "trust.json")
}

function unusable(path: string, why: string): TrustStore {
  return { entries: [], problem: `${path} cannot be used, so no project is trusted: ${why}` }
}

function entriesOf(value: unknown): TrustEntry[] | undefined {
  if (!isRecord(value) || value["version"] !== 1 || !Array.isArray(value["entries"])) return undefined
  const entries = value["entries"] as readonly unknown[]
  return entries.every(isEntry) ? [...entries] : undefined
}

function isEntry(value: unknown): value is TrustEntry {
  if (!isRecord(value)) return false
  const { directory, hash, time, files, packages = {} } = value
  if (typeof directory !== "string" || typeof hash !== "string" || typeof time !== "number") return false
  return [files, packages].every(
    (each) => isRecord(each) && Object.values(each).every((one) => typeof one === "string"),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
