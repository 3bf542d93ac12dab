import { randomBytes } from "node:crypto"
import { mkdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { type Revision, type SessionID, type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { createBlobStore } from "./blobs.ts"
import { createChangeFeed } from "./change-feed.ts"
import { checkpoint } from "./checkpoint.ts"
import { commitWrites } from "./commit.ts"
import { closedError, toStorageError } from "./errors.ts"
import type { FileSystem } from "./file-system.ts"
import { collectGarbage } from "./gc.ts"
import { createJournalMemory } from "./journal-memory.ts"
import { createJournals } from "./journal.ts"
import { JOURNALS, OWNERS, TEMPORARY } from "./layout.ts"
import { acquireLease, readHolder } from "./lease.ts"
import { listSessions } from "./list-sessions.ts"
import { createLocks } from "./lock.ts"
import { createMessageNames } from "./message-names.ts"
import { nodeFileSystem } from "./node-file-system.ts"
import { prepareDirectory, recoverAll, sweep, sweepJournals } from "./open-directory.ts"
import {
  currentProcess,
  missingPaths,
  prepareWrite,
  type ProcessIdentity,
  removeUnused,
  syncParent,
} from "@pawl/storage-kit"
import { commitsAfter, readChanges } from "./read-changes.ts"
import { readContext, readMessages } from "./read-messages.ts"
import { readSessionFile } from "./record-file.ts"
import { createRecoveredFiles } from "./recovered-files.ts"
import { rebuild } from "./rebuild.ts"
import { removeSessionTree } from "./remove-session.ts"
import { searchParts } from "./search.ts"
import { createSerial } from "./serial.ts"
import { consistently } from "./session-access.ts"
import { findSession, lastRevision } from "./session-head.ts"
import { createSessionIndex } from "./session-index.ts"
import { readStats } from "./stats.ts"
import type { Store } from "./store.ts"
import { verify } from "./verify.ts"

export interface FileStorageOptions {
  /** The directory of the storage. Created with mode 0700 if it is missing. */
  readonly path: string
  /**
   * `sync` (default): a commit survives a power cut. `async`: a commit survives the end of the process, but not a crash
   * of the machine.
   */
  readonly durability?: "sync" | "async"
  /** Maximum time that a commit waits for other processes that use the session, in milliseconds. Default: 10,000. */
  readonly lockTimeout?: number
  /**
   * The clock for lease expiry, in milliseconds: monotonic, and the same for all processes until the machine restarts.
   */
  readonly clock?: () => number
  /** Interval at which watchers poll for changes that caused no file system event, in milliseconds. Default: 2,000. */
  readonly pollInterval?: number
}

/** Dependencies that tests replace. */
export interface FileStorageDeps {
  readonly fs: FileSystem
  readonly self: ProcessIdentity
  /** Creates the directory if it is missing. */
  readonly makeRoot?: () => void
  /** Size in bytes of a session's journal that triggers a checkpoint. */
  readonly longestJournal?: number
  /** Size in bytes up to which a change log is not compacted. */
  readonly shortestLog?: number
  /** Called once when background work fails. Default: emits a process warning. */
  readonly warn?: (message: string) => void
}

/**
 * Stores sessions as readable files below one directory, for any number of processes on one machine. Rejects with a
 * StorageError.
 */
export async function fileStorage(options: FileStorageOptions): Promise<MaintainedStorage> {
  const root = resolve(options.path)
  const deps = { fs: nodeFileSystem(root), self: currentProcess(), makeRoot: () => makeRoot(root) }
  const missing = missingPaths(root)
  try {
    return await createStorage({ ...options, path: root }, deps)
  } finally {
    removeUnused(missing)
  }
}

const MAX_JOURNAL_BYTES = 256 * 1024
const MIN_LOG_BYTES = 16 * 1024

export async function createStorage(options: FileStorageOptions, deps: FileStorageDeps): Promise<MaintainedStorage> {
  const { fs: disk, self, makeRoot = () => {}, warn = emitWarning } = deps
  const { longestJournal = MAX_JOURNAL_BYTES, shortestLog = MIN_LOG_BYTES } = deps
  const { path: root, durability = "sync", lockTimeout = 10_000, clock = bootClock, pollInterval = 2000 } = options
  const location = `file:${root}`
  const token = randomBytes(8).toString("hex")
  let temporaryFiles = 0
  const temporaryPath = () => `${TEMPORARY}/${token}-${++temporaryFiles}`
  const recovered = createRecoveredFiles(disk)
  const { fs } = recovered
  const store: Store = {
    fs,
    recovered,
    root,
    journals: createJournals(disk),
    locks: createLocks({ fs: disk, root, self, token, lockTimeout }),
    lockTimeout,
    serial: createSerial(),
    self,
    clock,
    isSync: durability === "sync",
    shortestLog,
    temporaryPath,
    journalMemory: createJournalMemory(),
    projects: new Map(),
    unrecovered: new Set(),
    messageNames: createMessageNames({
      fs,
      self,
      temporaryPath,
      lastRevision: (id) => lastRevision(store, id),
      commitsAfter: (id, revision) => commitsAfter(store, id, revision),
    }),
  }
  const index = createSessionIndex(store)
  const feed = createChangeFeed(store, join(root, JOURNALS), location, pollInterval)
  const blobs = createBlobStore(store)
  /** Sessions to whose journals this handle has written. */
  const written = new Set<SessionID>()
  const checkpoints = new Map<SessionID, Promise<void>>()
  const running = new Set<Promise<unknown>>()
  let isPrepared = false
  let hasWarned = false
  let closing: Promise<void> | undefined

  function assertOpen(): void {
    if (closing) throw closedError(location)
  }
  async function guarded<T>(work: () => Promise<T> | T): Promise<T> {
    assertOpen()
    const result = rethrowing(work)
    running.add(result)
    try {
      return await result
    } finally {
      running.delete(result)
    }
  }
  /** A directory that could not be created when the storage was opened is created before the first write. */
  function writing<T>(work: () => Promise<T> | T): Promise<T> {
    return guarded(async () => {
      const refused = isPrepared ? undefined : await prepare()
      if (refused) throw refused
      return work()
    })
  }
  async function prepare(): Promise<Error | undefined> {
    const refused = await prepareDirectory(store, makeRoot)
    isPrepared = !refused
    return refused
  }
  async function rethrowing<T>(work: () => Promise<T> | T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toStorageError(error, root)
    }
  }
  async function* guardedItems<T>(items: () => AsyncIterable<T>): AsyncGenerator<T> {
    assertOpen()
    try {
      yield* items()
    } catch (error) {
      throw toStorageError(error, root)
    }
  }

  /**
   * Starts a checkpoint in the background, so that the commit does not wait for it. If it fails, the journal keeps
   * growing and a later checkpoint tries again; only the first failure is reported as a process warning.
   */
  function checkpointSoon(id: SessionID): void {
    if (checkpoints.has(id)) return
    const work = checkpoint(store, id).catch(warnOnce)
    checkpoints.set(
      id,
      work.finally(() => checkpoints.delete(id)),
    )
  }

  function warnOnce(error: unknown): void {
    if (hasWarned) return
    hasWarned = true
    const { message } = toStorageError(error, root) as Error
    warn(`The files of a session are not yet safe in their places, its journal in ${root}/${JOURNALS} is: ${message}`)
  }

  async function shutDown(): Promise<void> {
    await feed.close()
    await Promise.allSettled(running)
    await store.serial.idle()
    await Promise.all(checkpoints.values())
    // The next process that opens the storage repeats failed work from the journals.
    for (const id of written) await checkpoint(store, id).catch(() => {})
    await rethrowing(() => written.forEach((id) => store.messageNames.save(id))).catch(() => {})
    await sweepJournals(store).catch(() => {})
    await rethrowing(() => void fs.remove(`${OWNERS}/${token}`)).catch(() => {})
  }

  await rethrowing(async () => {
    await prepare()
    sweep(store)
    await recoverAll(store)
  })

  return {
    location,
    commit: (id, writes, lease) =>
      writing(async () => {
        const prepared = writes.map((write) => prepareWrite(id, write))
        const { revision, journal } = await commitWrites(store, id, prepared, lease)
        written.add(id)
        feed.tell({ sessionID: id, revision })
        const isCrossing = journal.before < longestJournal && journal.after >= longestJournal
        if (isCrossing || journal.after >= 4 * longestJournal) checkpointSoon(id)
        return revision
      }),
    getSession: (id) =>
      guarded(() =>
        consistently(store, id, () => {
          const path = findSession(store, id)
          const found = path === undefined ? undefined : readSessionFile(store, path, id)
          if (found?.problem) throw new StorageError(found.problem.message)
          return found?.value
        }),
      ),
    listSessions: (query) => guardedItems(() => listSessions(store, index, query)),
    readContext: (id) => guarded(() => readContext(store, id)),
    readChanges: (id, after) => guarded(() => readChanges(store, id, after)),
    readRevisions: (ids) =>
      guarded(async () => {
        const revisions = new Map<SessionID, Revision>()
        for (const id of ids) {
          // 0: another program created the session's files, and may change them.
          const revision = await consistently(store, id, () => findSession(store, id) && lastRevision(store, id))
          if (revision) revisions.set(id, revision)
        }
        return revisions
      }),
    readMessages: (id, query) => guardedItems(() => readMessages(store, id, query)),
    watch: (filter, signal) => feed.watch(filter, signal),
    removeSession: (id) =>
      writing(() => removeSessionTree(store, index, id, (sessionID) => feed.tell({ sessionID, revision: 0 }))),
    acquire: (id, owner, ttl) =>
      writing(async () => {
        const lease = await acquireLease(store, id, owner, ttl)
        return (
          lease && {
            token: lease.token,
            renew: () => guarded(() => lease.renew()),
            release: () => guarded(() => lease.release()),
          }
        )
      }),
    leaseHolder: (id) => guarded(async () => readHolder(store, id)),
    blobs: {
      put: (bytes) => writing(() => blobs.put(bytes)),
      get: (id) => guarded(() => blobs.get(id)),
    },
    search: (query, work) => guardedItems(() => searchParts(store, index, query, work)),
    stats: () => guarded(() => readStats(store)),
    verify: (work) => guardedItems(() => verify(store, index, work)),
    rebuild: (work) => writing(() => rebuild(store, index, work)),
    gc: (options) => writing(() => collectGarbage(store, options)),
    close: () => (closing ??= shutDown()),
  }
}

/**
 * Creates the directory and its parents. Not with `recursive`: below /proc, `mkdir` fails with ENOENT and Node would
 * retry forever.
 */
function makeRoot(root: string): void {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return
  try {
    if (dirname(root) !== root) makeRoot(dirname(root))
    mkdirSync(root, { mode: 0o700 })
    // Without this sync, a power cut could lose the directory with all its commits.
    syncParent(root)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function emitWarning(message: string): void {
  process.emitWarning(message, "StorageWarning")
}

/** CLOCK_MONOTONIC or its equivalent: counts from the boot and is the same for all processes. */
function bootClock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
