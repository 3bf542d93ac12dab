import type { Storage } from "@pawl/core/storage"
import type { CarriedBlobs } from "./carried-blobs.ts"
import { differences, isSame, joinedMessages } from "./joined-messages.ts"
import { createRecordHash } from "./record-hash.ts"
import type { SessionSource } from "./session-source.ts"
import { createSessionWriter, type Outcome } from "./session-writer.ts"

export interface Brought {
  readonly outcome: Outcome
  /** The `recordHash` that the session is to have now. */
  readonly hash: string
  /** Of the source. */
  readonly messages: number
  readonly parts: number
}

/**
 * Makes the stored session what the source says, by as few writes as that needs: none where both are equal.
 * Interrupted, it goes on at the next call. Both sides are read side by side, a message at a time. SessionBusyError
 * while it is run.
 */
export async function bringUpToDate(
  to: Storage,
  source: SessionSource,
  { blobs, signal }: { readonly blobs: CarriedBlobs; readonly signal?: AbortSignal | undefined },
): Promise<Brought> {
  const { session } = source
  const stored = await to.getSession(session.id)
  const hash = createRecordHash()
  const counts = { messages: 0, parts: 0 }

  await using writer = createSessionWriter(to, session, {
    stored,
    isSessionSame: isSame(session, stored),
    beforeCommit: (writes) => blobs.carry(writes, (id) => source.readBlob(id)),
  })
  for await (const pair of joinedMessages(source.messages(), to.readMessages(session.id))) {
    signal?.throwIfAborted()
    if (pair.wanted) {
      hash.add(pair.wanted)
      counts.messages++
      counts.parts += pair.wanted.parts.length
    }
    for (const write of differences(pair)) await writer.add(write)
  }
  return { outcome: await writer.finish(), hash: hash.of(session), ...counts }
}
