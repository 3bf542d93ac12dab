import { replay } from "./apply.ts"
import { eraseSession } from "./erase-session.ts"
import { isCommit } from "./journal.ts"
import { journalPath } from "./layout.ts"
import { mendJournal } from "./mend-journal.ts"
import { retire } from "./retire.ts"
import { readJournal } from "./session-head.ts"
import type { Store } from "./store.ts"

/**
 * Finishes what a dead writer left, under the session's lock. `last`: its process died, so only its last commit may lack
 * files. `all`: the machine went down, so no file that was not yet on the disk can be trusted.
 */
export async function recoverSession(store: Store, id: string, extent: "last" | "all"): Promise<void> {
  const path = journalPath(id)
  store.journals.forget(path)
  if (!readJournal(store, id)) return
  mendJournal(store, id)
  const entries = store.journals.entries(path)
  if (entries.some((entry) => "removed" in entry)) return eraseSession(store, id)
  const commits = entries.filter(isCommit)
  const needsAll = extent === "all" || isOfAnotherBoot(store, id)
  replay(store, needsAll ? commits : commits.slice(-1))
  if (needsAll) await retire(store, id)
}

/** Whether a journal was written before the machine last started, or nobody can tell. */
export function isOfAnotherBoot(store: Store, id: string): boolean {
  const boot = readJournal(store, id)?.header?.boot
  return boot !== undefined && (boot !== store.self.boot || boot === "unknown")
}
