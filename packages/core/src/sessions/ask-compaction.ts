import { pendingCompaction } from "../record/compaction-record.ts"
import { EmptySessionError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { finalUndoWrites, undoNotice } from "../undo/final-undo.ts"
import { openHistory } from "../store/history.ts"
import type { JournalDeps } from "../store/journal.ts"
import { writeSession } from "../store/write.ts"
import { markerWrites, type MarkerDeps } from "../compaction/marker.ts"
import type { ModelRef, Session } from "../record/message.ts"
import type { InTurn } from "../store/turns.ts"

export interface AskCompactionDeps extends JournalDeps, MarkerDeps {
  readonly storage: JournalDeps["storage"] & Pick<Storage, "readContext" | "readChanges" | "readMessages">
  readonly inTurn: InTurn
}

export interface CompactionRequest {
  readonly agent: string
  readonly model: ModelRef
  readonly focus?: string | undefined
}

/** Rejects with EmptySessionError if the session has no messages. */
export async function requireMessages(storage: Pick<Storage, "readMessages">, sessionID: SessionID): Promise<void> {
  for await (const _message of storage.readMessages(sessionID, { limit: 1 })) return
  throw new EmptySessionError(sessionID)
}

/** Stores a request for a compaction. Stores nothing if a compaction is pending already. */
export async function askCompaction(
  deps: AskCompactionDeps,
  session: Session,
  { agent, model, focus }: CompactionRequest,
): Promise<void> {
  await deps.inTurn(session.id, async () => {
    await makeUndoFinal(deps, session.id)
    const { messages } = await openHistory(deps, session.id)
    if (pendingCompaction(messages)) return
    const request = { auto: false, ...(focus === undefined ? {} : { focus }) }
    const writes = markerWrites(deps, { session, messages }, { agent, model }, request)
    await writeSession(deps, session.id, writes)
  })
}

/** Removes undone messages before the rest is summarized. The model is told about undone files with its next prompt. */
async function makeUndoFinal(deps: AskCompactionDeps, sessionID: SessionID): Promise<void> {
  const session = await deps.storage.getSession(sessionID)
  if (!session?.undo) return
  await writeSession(deps, sessionID, await finalUndoWrites(deps, session, { notice: undoNotice(session) }))
}
