import type { Session, SessionID, Storage } from "@pawl/core/storage"

/** The session and all below it, each once and behind its parent, siblings oldest first. */
export async function* sessionTree(
  storage: Pick<Storage, "listSessions">,
  root: Session,
  seen = new Set<SessionID>(),
): AsyncGenerator<Session> {
  // A session that came to stand below itself ends the way down.
  if (seen.has(root.id)) return
  seen.add(root.id)
  yield root
  const children: Session[] = []
  for await (const child of storage.listSessions({ parentID: root.id })) children.push(child)
  for (const child of children.toReversed()) yield* sessionTree(storage, child, seen)
}
