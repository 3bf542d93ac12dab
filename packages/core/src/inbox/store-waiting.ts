import type { IDSource, MessageID } from "../base/ids.ts"
import type { Write } from "../contracts/storage.ts"
import { type JournalDeps, publishWrites } from "../store/journal.ts"
import type { Part, UserMessage } from "../record/message.ts"
import type { DeliveryMode } from "../record/waiting.ts"

export interface StoreWaitingDeps extends JournalDeps {
  /** Makes ids ahead of the clock for waiting prompts, so that no compaction puts the context's start behind them. */
  readonly waitingIDs: IDSource
}

/**
 * Stores a prompt to wait for its delivery by the session's owner. Needs no lease. The id is ahead of the clock. If a
 * compaction put the context's start behind it nevertheless, the prompt is stored again with a new id.
 */
export async function storeWaiting(
  deps: StoreWaitingDeps,
  message: UserMessage,
  parts: readonly Part[],
  delivery: { readonly mode: DeliveryMode; readonly agent?: "session" },
): Promise<MessageID> {
  const { sessionID } = message
  for (let last: MessageID | undefined; ;) {
    const id = deps.waitingIDs.message((await deps.storage.getSession(sessionID))?.boundary)
    const waiting: UserMessage = {
      ...{ ...message, id, delivery: { ...delivery, state: "waiting" } },
      clientID: message.clientID ?? id,
    }
    const writes: Write[] = [
      ...(last === undefined ? [] : [{ type: "message.remove", messageID: last } as const]),
      { type: "message.put", message: waiting },
      ...parts.map((part): Write => ({ type: "part.put", part: { ...part, messageID: id } })),
    ]
    const revision = await deps.storage.commit(sessionID, writes)
    const boundary = (await deps.storage.getSession(sessionID))?.boundary ?? ""
    if (boundary <= id) {
      await publishWrites(deps, sessionID, { writes, revision })
      return id
    }
    last = id
  }
}
