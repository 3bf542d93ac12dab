import type { Session, Storage } from "@pawl/core"

/** The session and all below it, each behind its parent, siblings oldest first. */
export async function* sessionTree(storage: Pick<Storage, "listSessions">, root: Session): AsyncGenerator<Session> {
  yield root
  const children: Session[] = []
  for await (const child of storage.listSessions({ parentID: root.id })) children.push(child)
  for (const child of children.toReversed()) yield* sessionTree(storage, child)
}
