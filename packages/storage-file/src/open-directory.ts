import { StorageError } from "@pawl/core/storage"
import { isUnwritable } from "./errors.ts"
import { DIRECTORIES, JOURNALS, OWNERS, STAMP, STATE, TEMPORARY } from "./layout.ts"
import type { FileSystem } from "./file-system.ts"
import { isDead, type ProcessIdentity } from "@pawl/storage-kit"
import { fromName } from "./record-name.ts"
import { isOfAnotherBoot } from "./recover.ts"
import { exclusively, recover } from "./session-access.ts"
import { readJournal } from "./session-head.ts"
import type { Store } from "./store.ts"

const SCHEMA = 1

/** Number of empty journals to keep. The oldest ones are removed. */
const MAX_EMPTY_JOURNALS = 512

/** Files that systems create in empty directories. */
const OF_SYSTEMS: ReadonlySet<string> = new Set(["lost+found", ".DS_Store", "desktop.ini", "Thumbs.db"])

/** Age in milliseconds after which temporary files of unknown owners and empty journals are removed. */
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * Creates what is missing in the storage's directory. Rejects a directory of another program or of a newer pawl. Does
 * not change a read-only directory with a storage. Returns the error if there is no storage and creating one failed;
 * then no new file or directory remains.
 */
export async function prepareDirectory(
  store: Pick<Store, "fs" | "root" | "isSync">,
  makeRoot: () => void,
): Promise<Error | undefined> {
  const { fs, root } = store
  const names = fs.readDirectory("") ?? []
  const stamp = fs.readFile(STAMP)
  if (stamp) requireKnownSchema(root, stamp)
  const isStrange =
    names.some((name) => !OF_SYSTEMS.has(name) && !isBegun(fs, name)) &&
    ![STATE, "session"].some((name) => names.includes(name))
  if (isStrange && !stamp) {
    throw new StorageError(`${root} holds other things than sessions. Name an empty directory, such as ${root}/pawl.`)
  }
  try {
    makeRoot()
    await makeMissing(store, stamp !== undefined)
    return undefined
  } catch (error) {
    if (!isUnwritable(error)) throw error
    return stamp ? undefined : (error as Error)
  }
}

/** Returns true for a directory of a storage whose creation was interrupted. Any of its directories may be missing. */
function isBegun(fs: FileSystem, name: string): boolean {
  return DIRECTORIES.some((directory) => directory === name) && fs.readDirectory(name)?.length === 0
}

async function makeMissing({ fs, isSync }: Pick<Store, "fs" | "isSync">, isStamped: boolean): Promise<void> {
  const created: string[] = []
  const temporary = `${TEMPORARY}/version-${process.pid}-${Math.random().toString(36).slice(2)}`
  try {
    for (const directory of DIRECTORIES) if (fs.makeDirectory(directory)) created.push(directory)
    if (!isStamped) {
      fs.write(temporary, Buffer.from(`${JSON.stringify({ storage: "pawl", schema: SCHEMA }, null, 2)}\n`))
      if (isSync) await fs.sync(temporary)
      fs.rename(temporary, STAMP)
    }
  } catch (error) {
    if (!isStamped) discard(fs, temporary, created)
    throw error
  }
  if (isSync && (created.length > 0 || !isStamped)) for (const directory of [STATE, ""]) await fs.sync(directory)
}

/** Removes the file, and those directories that are empty. */
function discard(fs: FileSystem, file: string, directories: readonly string[]): void {
  try {
    fs.remove(file)
    for (const directory of directories.toReversed()) fs.removeDirectory(directory)
  } catch {
    // The directories that remain are empty, and the next call uses them.
  }
}

/**
 * Completes the work of dead processes. After a restart of the machine, writes every file again that may be lost. A
 * failure in one session does not stop the others; the next use of that session retries. Returns the failures.
 */
export async function recoverAll(store: Store): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const id of [...inheritedSessions(store), ...sessionsOfAnotherBoot(store)]) {
    await recover(store, id).catch((error: unknown) => failures.push(error))
  }
  return failures
}

/** Like `recoverAll`; throws the first failure. */
export async function requireRecovered(store: Store): Promise<void> {
  const [failure] = await recoverAll(store)
  if (failure !== undefined) throw failure
}

function sessionsOfAnotherBoot(store: Store): string[] {
  const ids = (store.fs.readDirectory(JOURNALS) ?? []).flatMap((name) => fromName(name) ?? [])
  for (const id of ids) if (mayBeOfAnotherBoot(store, id)) store.unrecovered.add(id)
  return [...store.unrecovered]
}

/** Returns true also if the journal cannot be read now, so that it is checked again when its session is used. */
function mayBeOfAnotherBoot(store: Store, id: string): boolean {
  try {
    return isOfAnotherBoot(store, id)
  } catch {
    return true
  }
}

/**
 * Completes work that was interrupted by the end of a process or by a disk failure. A failure in one session does not
 * stop the others.
 */
export async function recoverInherited(store: Store): Promise<void> {
  for (const id of inheritedSessions(store)) await recover(store, id).catch(() => {})
}

function inheritedSessions(store: Store): string[] {
  return store.locks.inherited().flatMap((name) => {
    const id = fromName(name)
    return id?.startsWith("ses_") ? [id] : []
  })
}

/** Removes temporary files and owner files of dead processes. Does nothing if the disk is not writable. */
export function sweep(store: Pick<Store, "fs" | "self">): void {
  try {
    removeFilesOfDead(store)
  } catch (error) {
    if (!isUnwritable(error)) throw error
  }
}

function removeFilesOfDead({ fs, self }: Pick<Store, "fs" | "self">): void {
  const dead = new Set<string>()
  const owners = new Set<string>()
  for (const token of fs.readDirectory(OWNERS) ?? []) {
    owners.add(token)
    if (isDeadOwner(fs, `${OWNERS}/${token}`, self)) dead.add(token)
  }
  for (const name of fs.readDirectory(TEMPORARY) ?? []) {
    const [token = ""] = name.split("-")
    const changed = fs.status(`${TEMPORARY}/${name}`)?.changed ?? 0
    if (dead.has(token) || (!owners.has(token) && Date.now() - changed > DAY_MS)) fs.remove(`${TEMPORARY}/${name}`)
  }
  for (const token of dead) fs.remove(`${OWNERS}/${token}`)
}

/** Removes old empty journals if there are many. They only notify watchers of recent changes. */
export async function sweepJournals(store: Store): Promise<void> {
  const names = store.fs.readDirectory(JOURNALS) ?? []
  if (names.length <= MAX_EMPTY_JOURNALS) return
  const old = names.filter((name) => isOldAndEmpty(store, name)).slice(0, names.length - MAX_EMPTY_JOURNALS / 2)
  for (const name of old) {
    const id = fromName(name)
    if (id === undefined) continue
    await exclusively(store, id, async () => {
      if (readJournal(store, id)?.size === 0) store.fs.remove(`${JOURNALS}/${name}`)
    })
  }
}

function isOldAndEmpty({ fs }: Store, name: string): boolean {
  const status = fs.status(`${JOURNALS}/${name}`)
  return status?.size === 0 && Date.now() - status.changed > MINUTE_MS
}

function isDeadOwner(fs: FileSystem, path: string, self: ProcessIdentity): boolean {
  try {
    return isDead(JSON.parse(fs.readFile(path)?.toString() ?? "{}") as ProcessIdentity, self)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}

function requireKnownSchema(root: string, stamp: Buffer): void {
  let schema: unknown
  try {
    schema = (JSON.parse(stamp.toString()) as { schema?: unknown }).schema
  } catch {
    throw new StorageError(
      `${root}/${STAMP} is damaged. Write {"storage": "pawl", "schema": ${SCHEMA}} into it, or restore it from a backup.`,
    )
  }
  if (schema === SCHEMA) return
  throw new StorageError(
    typeof schema === "number" && schema > SCHEMA
      ? `${root} was written by a newer pawl (schema ${schema}). Update pawl to open it.`
      : `${root}/${STAMP} names no schema that this pawl knows (${String(schema)}). Restore it from a backup.`,
  )
}
