import type { Storage } from "@pawl/core/storage"
import type { CarriedBlobs } from "./carried-blobs.ts"
import { differences, isSame, joinedMessages } from "./joined-messages.ts"
import { createRecordHash } from "./record-hash.ts"
import type { SessionSource } from "./session-source.ts"
import { createSessionWriter, type Outcome } from "./session-writer.ts"

export interface Brought {
  readonly outcome: Outcome
  /** The `recordHash` of the session after the transfer. */
  readonly hash: string
  /** Number of messages of the source. */
  readonly messages: number
  readonly parts: number
}

/**
 * Makes the stored session equal to the source with as few writes as possible. After an interruption, the next call
 * continues. Compares one message at a time. Rejects with SessionBusyError while the session is running.
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
