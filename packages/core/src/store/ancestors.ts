import type { SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import type { Session } from "../record/message.ts"

type Reader = Pick<Storage, "getSession">

/** Reads the sessions above one, nearest first. Stops at a cycle in the parent chain. */
export async function readAncestors(storage: Reader, session: Pick<Session, "id" | "parentID">): Promise<Session[]> {
  const above: Session[] = []
  const seen = new Set([session.id])
  let { parentID } = session
  while (parentID && !seen.has(parentID)) {
    seen.add(parentID)
    const parent = await storage.getSession(parentID)
    if (!parent) break
    above.push(parent)
    parentID = parent.parentID
  }
  return above
}

/** Returns the topmost session above one, or the session itself. */
export async function rootOf(storage: Reader, id: SessionID): Promise<SessionID> {
  const session = await storage.getSession(id)
  const above = session ? await readAncestors(storage, session) : []
  return above.at(-1)?.id ?? id
}
