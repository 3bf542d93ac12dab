import type { LeaseToken, Revision, Session, SessionID } from "@pawl/core/storage"
import { stageFiles } from "./apply.ts"
import type { FileChange } from "./file-change.ts"
import { entryLine, type JournalCommit } from "./journal.ts"
import { messagePath, partDirectory, sessionPath, sharedPartDirectory } from "./layout.ts"
import { appendDurably } from "./journal-append.ts"
import { proveLease } from "./lease.ts"
import { makeParents } from "./make-parents.ts"
import { mendJournal } from "./mend-journal.ts"
import { isStored, type PlannedRecord, planCommit } from "./plan-commit.ts"
import type { PreparedWrite } from "@pawl/storage-kit"
import { partsOf } from "./record-directory.ts"
import { toName } from "./record-name.ts"
import { logCommits, newHeaderLine } from "./retire.ts"
import { exclusively, type SessionLock } from "./session-access.ts"
import { findSession, lastRevision, readJournal } from "./session-head.ts"
import { everyRecord } from "./session-records.ts"
import type { Store } from "./store.ts"

export interface Committed {
  readonly revision: Revision
  /** Size in bytes of the session's journal before and after this commit. */
  readonly journal: { readonly before: number; readonly after: number }
}

/**
 * Writes one commit, under the session's lock:
 *
 *   plan -> write temporary files -> append the journal's line -> sync it -> rename the files to their paths
 *
 * The commit counts once its line is on the disk; an earlier failure leaves nothing. Renames need no space on the disk.
 * If one fails nevertheless, the next access repeats it before it reads.
 */
export function commitWrites(
  store: Store,
  id: SessionID,
  writes: readonly PreparedWrite[],
  lease: LeaseToken | undefined,
): Promise<Committed> {
  return exclusively(store, id, async (lock) => {
    if (lease) proveLease(store, id, lease)
    const planned = planCommit(store, id, writes)
    const revision = (await adoptedRevision(store, id)) + 1
    const files = placeFiles(store, id, planned)
    const staged = stageFiles(store, files)
    const records = planned.map(({ messageID, partID, json }) => [messageID, partID, json === null ? 0 : 1] as const)
    let journal
    try {
      journal = await appendEntry(store, id, { revision, records, files }, lock)
    } catch (error) {
      staged.discard()
      throw error
    }
    try {
      store.messageNames.follow(id, revision, files, () => staged.apply())
      store.journalMemory.remember(id, readJournal(store, id), files)
    } catch {
      // The commit is durable, but the session must not be read or written before its files are in place.
      lock.abandon()
    }
    return { revision, journal }
  })
}

/** Returns the last revision. Logs records whose files another program created as revision 1. */
async function adoptedRevision(store: Store, id: SessionID): Promise<Revision> {
  const revision = lastRevision(store, id)
  if (revision > 0 || findSession(store, id) === undefined) return revision
  const records = everyRecord(store, id).map(({ messageID, partID }) => [messageID, partID, 1] as const)
  await logCommits(store, id, [{ revision: 1, records }])
  return 1
}

async function appendEntry(
  store: Store,
  id: SessionID,
  entry: JournalCommit,
  lock: SessionLock,
): Promise<Committed["journal"]> {
  mendJournal(store, id)
  const view = readJournal(store, id)
  const before = view?.end ?? 0
  const files = store.journalMemory.shortened(id, view, entry.files)
  const bytes = Buffer.from((before === 0 ? newHeaderLine(store, id) : "") + entryLine({ ...entry, files }))
  await appendDurably(store, id, { bytes, before, isNew: !view }, lock)
  return { before, after: before + bytes.length }
}

/** Returns the changes of the records' files, and creates the directories that they need. */
function placeFiles(store: Store, id: SessionID, planned: readonly PlannedRecord[]): FileChange[] {
  const files: FileChange[] = []
  const directories = new Map<string, string>()
  const partsDirectory = (messageID: string) => {
    const known = directories.get(messageID) ?? claimPartDirectory(store, id, messageID)
    directories.set(messageID, known)
    return known
  }
  // A removed part precedes the removal of its message here, since its path is found through the message.
  for (const { messageID, partID, json } of planned) {
    if (messageID === "") files.push(...placeSession(store, id, json))
    // This commit both created and removed the message.
    else if (json === null && !isStored(store, id, messageID)) continue
    else if (partID === "") {
      if (json !== null) partsDirectory(messageID)
      files.push([messagePath(id, messageID), json])
      if (json === null) files.push([partsOf(store, id, messageID), null])
    } else files.push([`${partsDirectory(messageID)}/${toName(partID)}.json`, json])
  }
  for (const [path, json] of files) if (json !== null) makeParents(store.fs, path)
  return files
}

/** Moves the session's file if the session has another project. */
function placeSession(store: Store, id: SessionID, json: string | null): FileChange[] {
  const { projectID } = JSON.parse(json ?? "{}") as Session
  const path = sessionPath(projectID, id)
  const found = findSession(store, id)
  return found === undefined || found === path
    ? [[path, json]]
    : [
        [path, json],
        [found, null],
      ]
}

/**
 * Claims the part directory of a new message by creating it. If another session has a message with the same id and was
 * first, uses a directory with both ids.
 */
function claimPartDirectory(store: Store, id: SessionID, messageID: string): string {
  const isNew = !isStored(store, id, messageID)
  const found = partsOf(store, id, messageID)
  if (!isNew || found !== partDirectory(messageID)) return found
  if (store.fs.makeDirectory(found)) return found
  // Created even if it stays empty, so that the session's next commit finds its parts here.
  const shared = sharedPartDirectory(id, messageID)
  store.fs.makeDirectory(shared)
  return shared
}
