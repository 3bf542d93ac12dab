import type { MessageID, MessageWithParts, SessionID, Storage } from "@pawl/core/storage"
import { collected } from "./collected.ts"

/** Number of messages per page. Two pages are held at once. */
const PAGE = 200

export interface OldestFirstOptions {
  /** Number of newest messages. Default: all. */
  readonly limit?: number | undefined
  readonly page?: number
}

/** A page that was read on the way back. */
interface Passed {
  readonly oldest: MessageID
  /** The oldest message of the page behind it; undefined for the newest page. */
  readonly before: MessageID | undefined
}

/**
 * Yields the messages of a session, oldest first. The storage lists them newest first, so the starts of pages are noted and the
 * pages are read again. A session of any length takes the memory of two pages.
 */
export async function* oldestFirst(
  storage: Pick<Storage, "readMessages">,
  id: SessionID,
  { limit, page: size = PAGE }: OldestFirstOptions = {},
): AsyncGenerator<MessageWithParts> {
  const passed: Passed[] = []
  let newest: MessageWithParts[] = []
  let page: MessageWithParts[] = []
  for await (const message of storage.readMessages(id, limit === undefined ? {} : { limit })) {
    page.push(message)
    if (page.length < size) continue
    // What comes meanwhile is not looked for: the newest page stays as it was read.
    if (passed.length === 0) newest = page
    passed.push({ oldest: message.info.id, before: passed.at(-1)?.oldest })
    page = []
  }
  yield* page.toReversed()
  for (const { oldest, before } of passed.toReversed()) {
    const again = before === undefined ? newest : await collected(storage.readMessages(id, { before, limit: size }))
    // Where one was removed meanwhile, an older one stands in for it, which was told already.
    yield* again.filter(({ info }) => info.id >= oldest).toReversed()
  }
}
