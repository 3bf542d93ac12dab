import { contentsOf, replay } from "./apply.ts"
import { eraseParts, eraseSession } from "./erase-session.ts"
import { isCommit } from "./journal.ts"
import { journalPath } from "./layout.ts"
import { mendJournal } from "./mend-journal.ts"
import { toName } from "./record-name.ts"
import type { FileContents } from "./recovered-files.ts"
import { retire } from "./retire.ts"
import { findSession, readJournal } from "./session-head.ts"
import type { Store } from "./store.ts"

/**
 * Completes the work of a dead process, under the session's lock. `last`: only the process died, so only its last
 * commit may lack files. `all`: the machine crashed, so each file that was not synced may be damaged.
 */
export async function recoverSession(store: Store, id: string, extent: "last" | "all"): Promise<void> {
  const path = journalPath(id)
  store.journals.forget(path)
  if (!readJournal(store, id)) return
  mendJournal(store, id)
  const entries = store.journals.entries(path)
  const commits = entries.filter(isCommit)
  if (entries.some((entry) => "removed" in entry)) {
    await eraseParts(store, id, commits)
    return eraseSession(store, id)
  }
  const needsAll = extent === "all" || isOfAnotherBoot(store, id)
  replay(store, needsAll ? commits : commits.slice(-1))
  if (needsAll) await retire(store, id)
}

/**
 * Returns the files that `recoverSession` would write, without writing them; empty if the session needs no recovery.
 * For a removed session, only removes the session's own file, which hides the rest.
 */
export function recoveredFiles(store: Store, id: string): FileContents {
  const isOlder = store.unrecovered.has(id) && isOfAnotherBoot(store, id)
  if (!isOlder && !store.locks.isTaken(toName(id))) return new Map()
  const entries = store.journals.entries(journalPath(id))
  if (entries.some((entry) => "removed" in entry)) {
    const path = findSession(store, id)
    return new Map(path === undefined ? [] : [[path, null]])
  }
  const commits = entries.filter(isCommit)
  return contentsOf(store, isOlder || isOfAnotherBoot(store, id) ? commits : commits.slice(-1))
}

/** Returns true if a journal was written before the machine last started, or if that is unknown. */
export function isOfAnotherBoot(store: Store, id: string): boolean {
  const boot = readJournal(store, id)?.header?.boot
  return boot !== undefined && (boot !== store.self.boot || boot === "unknown")
}
