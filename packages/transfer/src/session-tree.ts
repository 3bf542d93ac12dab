import type { Session, SessionID, Storage } from "@pawl/core/storage"

/** Yields a session and all its descendants, each once and after its parent, siblings oldest first. */
export async function* sessionTree(
  storage: Pick<Storage, "listSessions">,
  root: Session,
  seen = new Set<SessionID>(),
): AsyncGenerator<Session> {
  // Stops at a cycle in the parent chain.
  if (seen.has(root.id)) return
  seen.add(root.id)
  yield root
  const children: Session[] = []
  for await (const child of storage.listSessions({ parentID: root.id })) children.push(child)
  for (const child of children.toReversed()) yield* sessionTree(storage, child, seen)
}
