import type { MessageID, MessageWithParts, SessionID, Storage } from "@pawl/core/storage"

const PAGE = 50

/** The messages of a session oldest first, of which a page is held. Reads everything twice: first for the ids. */
export async function* oldestFirst(
  storage: Pick<Storage, "readMessages">,
  sessionID: SessionID,
): AsyncGenerator<MessageWithParts> {
  const ids: MessageID[] = []
  for await (const { info } of storage.readMessages(sessionID)) ids.push(info.id)
  ids.reverse()
  for (let start = 0; start < ids.length; start += PAGE) {
    const first = ids[start] ?? ""
    const last = ids[Math.min(start + PAGE, ids.length) - 1] ?? ""
    const before = ids[start + PAGE]
    const page: MessageWithParts[] = []
    for await (const message of storage.readMessages(sessionID, before === undefined ? {} : { before })) {
      // What came since the ids were read is left out.
      if (message.info.id >= first && message.info.id <= last) page.push(message)
      if (message.info.id <= first) break
    }
    yield* page.toReversed()
  }
}
