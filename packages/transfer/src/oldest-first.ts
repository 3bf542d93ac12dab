import type { MessageID, MessageWithParts, SessionID, Storage } from "@pawl/core/storage"

const PAGE = 50

/** Yields a session's messages oldest first, with one page in memory. Reads everything twice: first only the ids. */
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
      // Ignore messages that were added since the ids were read.
      if (message.info.id >= first && message.info.id <= last) page.push(message)
      if (message.info.id <= first) break
    }
    yield* page.toReversed()
  }
}
