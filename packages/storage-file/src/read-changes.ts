import type { Change, MessageID, PartID, Revision, SessionID } from "@pawl/core/storage"
import { lastOfEach, readLogged } from "./change-log.ts"
import { missingSession } from "./errors.ts"
import type { CommitRecords } from "./journal.ts"
import { changesPath, messagePath } from "./layout.ts"
import { partsOf } from "./record-directory.ts"
import { readMessageFile, readPartFile, readSessionFile } from "./record-file.ts"
import { toName } from "./record-name.ts"
import { consistently } from "./session-access.ts"
import { findSession, lastRevision, readJournal } from "./session-head.ts"
import { everyRecord } from "./session-records.ts"
import type { Store } from "./store.ts"

/**
 * Returns changes by revision, then in the order of their writes. Reads the journal, the end of the log as far as
 * needed, and the files that they name.
 */
export function readChanges(store: Store, id: SessionID, after: Revision): Promise<Change[]> {
  return consistently(store, id, () => {
    if (findSession(store, id) === undefined) throw missingSession(id)
    return lastOfEach(commitsAfter(store, id, after)).flatMap(({ revision, key: [messageID, partID, stored] }) => {
      return (
        toChange(store, id, revision, { messageID: messageID as MessageID, partID: partID as PartID, stored }) ?? []
      )
    })
  })
}

/** Returns the commits after `after` in ascending order. */
export function commitsAfter(store: Store, id: string, after: Revision): CommitRecords[] {
  if (lastRevision(store, id) === 0) {
    // Another program created the files: they count as one commit.
    const records = everyRecord(store, id).map(({ messageID, partID }) => [messageID, partID, 1] as const)
    return after < 1 ? [{ revision: 1, records }] : []
  }
  const journal = readJournal(store, id)?.commits ?? []
  const first = journal[0]?.revision
  const logged = first !== undefined && first <= after + 1 ? [] : readLogged(store.fs, changesPath(id), after)
  return [...logged, ...journal.filter(({ revision }) => revision > after)]
}

/** Reports a deleted record as removed; skips an unreadable one. */
function toChange(
  store: Store,
  sessionID: SessionID,
  revision: Revision,
  { messageID, partID, stored }: { messageID: MessageID; partID: PartID; stored: 0 | 1 },
): Change | undefined {
  if ((messageID as string) === "") {
    const session = readSessionFile(store, findSession(store, sessionID) ?? "", sessionID)?.value
    return session && { type: "session.put", revision, session }
  }
  if ((partID as string) === "") {
    const found = stored
      ? readMessageFile(store, messagePath(sessionID, messageID), { sessionID, id: messageID })
      : undefined
    if (!found) return { type: "message.remove", revision, messageID }
    return found.value && { type: "message.put", revision, message: found.value }
  }
  const path = `${partsOf(store, sessionID, messageID)}/${toName(partID)}.json`
  const found = stored ? readPartFile(store, path, { sessionID, messageID, id: partID }) : undefined
  if (!found) return { type: "part.remove", revision, messageID, partID }
  return found.value && { type: "part.put", revision, part: found.value }
}
