import type { SessionID } from "../base/ids.ts"
import type { Lease, Write } from "../contracts/storage.ts"
import { type JournalDeps, publishWrites } from "./journal.ts"

/** Commits the writes and publishes their events. The only way to write outside of a run, which has its journal. */
export async function writeSession(
  deps: JournalDeps,
  sessionID: SessionID,
  writes: readonly Write[],
  lease?: Lease,
): Promise<void> {
  const revision = await deps.storage.commit(sessionID, writes, lease?.token)
  await publishWrites(deps, sessionID, { writes, revision })
}
