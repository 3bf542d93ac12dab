import type { LongWork, Session, SessionID, SessionQuery, Storage } from "@pawl/core/storage"
import type { UsageTable } from "./usage.ts"

export interface UsageQuery {
  readonly directory?: string | undefined
  /** Epoch milliseconds. */
  readonly since: number
}

/** A run may work on for long without a new prompt. */
const MAX_RUN_MS = 24 * 60 * 60 * 1000

type Known = Pick<Session, "id" | "title" | "directory"> & { readonly parentID: SessionID | undefined }

/** Reads each session once, newest first and as far as the time goes back; kept is no more than a line of each. */
export async function readUsage(
  storage: Pick<Storage, "listSessions" | "readMessages">,
  { directory, since }: UsageQuery,
  table: UsageTable,
  { signal, onProgress }: Required<LongWork>,
): Promise<void> {
  const query: SessionQuery = directory === undefined ? {} : { directory }
  const known = new Map<SessionID, Known>()
  const meant: SessionID[] = []
  for await (const { id, title, directory: place, parentID, time } of storage.listSessions(query)) {
    signal.throwIfAborted()
    known.set(id, { id, title, directory: place, parentID })
    if (time.updated >= since - MAX_RUN_MS) meant.push(id)
  }
  let done = 0
  for (const id of meant) {
    const session = known.get(id) as Known
    const place = { directory: session.directory, root: rootOf(known, session) }
    for await (const message of storage.readMessages(id)) {
      signal.throwIfAborted()
      if (message.info.time.created >= since) table.add(message, place)
      // A prompt keeps its time wherever it is put.
      else if (message.info.role === "assistant") break
    }
    onProgress(++done, meant.length)
  }
}

/** Returns the topmost existing ancestor of a session. */
function rootOf(known: ReadonlyMap<SessionID, Known>, session: Known): Known {
  const seen = new Set<SessionID>()
  let top = session
  while (top.parentID !== undefined && !seen.has(top.id)) {
    seen.add(top.id)
    const parent = known.get(top.parentID)
    if (!parent) break
    top = parent
  }
  return top
}
