import { NotFoundError } from "../base/errors.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import type { FileHistory } from "../contracts/file-history.ts"
import type { Storage } from "../contracts/storage.ts"
import type { FileDiff, Session, UncoveredFile } from "../record/message.ts"
import { type Period, sessionChanges } from "./session-changes.ts"
import { undonePoints } from "./undo-point.ts"

export interface DiffInput {
  readonly sessionID: SessionID
  /** Only changes from this message on. */
  readonly from?: MessageID
  /** Only the changes of the turn of this user message. */
  readonly messageID?: MessageID
  /** Only the changes of this call. */
  readonly callID?: string
}

export interface SessionDiff {
  /** By path. Undone changes are left out. */
  readonly files: readonly FileDiff[]
  /** Files that may have changed, whose old content was never kept. */
  readonly uncovered: readonly UncoveredFile[]
}

export interface DiffDeps {
  readonly storage: Storage
  readonly history: FileHistory | undefined
}

/** Returns the changes of a session or of a part of it. */
export async function sessionDiff(
  { storage, history }: DiffDeps,
  session: Session,
  input: DiffInput,
): Promise<SessionDiff> {
  if (!history) throw new NotFoundError("This engine cannot show changes of files: it has no file history.")
  const period = await periodOf(storage, session, input)
  const { changes, uncovered } = await sessionChanges(storage, session, {
    until: undonePoints(session).files,
    ...period,
  })
  const files = await history.diff(changes, { directory: session.directory, blobs: storage.blobs })
  return { files, uncovered }
}

async function periodOf(storage: Storage, session: Session, { from, messageID, callID }: DiffInput): Promise<Period> {
  const call = callID === undefined ? {} : { callID }
  if (messageID === undefined) return from === undefined ? call : { ...call, from: { messageID: from } }
  let next: MessageID | undefined
  for await (const { info } of storage.readMessages(session.id)) {
    if (info.id === messageID) return { ...call, from: { messageID }, ...(next ? { until: { messageID: next } } : {}) }
    if (info.id < messageID) break
    if (info.role === "user") next = info.id
  }
  throw new NotFoundError(`Session ${session.id} has no message ${messageID}.`)
}
