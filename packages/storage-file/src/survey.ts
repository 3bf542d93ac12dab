import type { LongWork, Message, Part, Session, SessionID, StorageProblem } from "@pawl/core/storage"
import { messageDirectory, messagePath } from "./layout.ts"
import { listRecords, partsOf, type RecordEntry } from "./record-directory.ts"
import { damaged, readMessageFile, readPartFile, readSessionFile } from "./record-file.ts"
import { consistently } from "./session-access.ts"
import { findSession } from "./session-head.ts"
import type { Store } from "./store.ts"
import { messageDirectories, partDirectories, type RecordDirectory, sessionDirectories } from "./walk.ts"

/** A file in the directories of records: a valid record, or its problem. */
export interface Surveyed {
  readonly kind: "session" | "message" | "part"
  readonly path: string
  /** Undefined if the session cannot be determined. */
  readonly sessionID: SessionID | undefined
  readonly value?: Session | Message | Part
  readonly problem?: StorageProblem
}

/** Time to work before the event loop runs other work. */
const SLICE_MS = 10

/** Yields every record: sessions, then messages, then parts. Checks a problem again under the session's lock. */
export async function* surveyRecords(store: Store, { signal, onProgress }: LongWork = {}): AsyncGenerator<Surveyed> {
  const places = [
    ...sessionDirectories(store).map((place) => ({ place, kind: "session" as const })),
    ...messageDirectories(store).map((place) => ({ place, kind: "message" as const })),
    ...partDirectories(store).map((place) => ({ place, kind: "part" as const })),
  ]
  let began = performance.now()
  for (const [done, { place, kind }] of places.entries()) {
    const { prefix, survey } = KINDS[kind]
    const { entries, foreign } = listRecords(store, place.path, prefix)
    for (const problem of foreign) {
      yield { kind, path: `${place.path}/${problem.subject}`, sessionID: place.sessionID, problem }
    }
    for (const entry of entries) {
      signal?.throwIfAborted()
      const surveyed = await confirmed(store, () => survey(store, place, entry))
      if (surveyed) yield surveyed
      if (performance.now() - began < SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      began = performance.now()
    }
    onProgress?.(done + 1, places.length)
  }
}

const KINDS = {
  session: { prefix: "ses_", survey: surveySession },
  message: { prefix: "msg_", survey: surveyMessage },
  part: { prefix: "prt_", survey: surveyPart },
}

async function confirmed(store: Store, survey: () => Surveyed): Promise<Surveyed | undefined> {
  const first = survey()
  if (first.value === undefined && first.problem === undefined) return undefined
  if (first.problem === undefined || first.sessionID === undefined) return first
  const second = await consistently(store, first.sessionID, survey)
  return second.value === undefined && second.problem === undefined ? undefined : second
}

function surveySession(store: Store, _place: RecordDirectory, { id, path }: RecordEntry): Surveyed {
  const found = readSessionFile(store, path, id)
  const problem = found?.value && secondSession(store, path, found.value)
  const sessionID = (id ?? found?.value?.id) as SessionID | undefined
  return { kind: "session", path, sessionID, ...(problem ? { problem } : found) }
}

function surveyMessage(store: Store, { sessionID }: RecordDirectory, { id, path }: RecordEntry): Surveyed {
  const found = readMessageFile(store, path, { sessionID, id })
  const owner = sessionID ?? found?.value?.sessionID
  const problem = found?.value && misplacedMessage(store, path, found.value)
  return { kind: "message", path, sessionID: owner, ...(problem ? { problem } : found) }
}

function surveyPart(
  store: Store,
  { sessionID, messageID, path: directory }: RecordDirectory,
  { id, path }: RecordEntry,
): Surveyed {
  const found = readPartFile(store, path, { sessionID, messageID, id })
  const problem = found?.value && misplacedPart(store, directory, path, found.value)
  return { kind: "part", path, sessionID: sessionID ?? found?.value?.sessionID, ...(problem ? { problem } : found) }
}

function secondSession(store: Store, path: string, { id }: Session): StorageProblem | undefined {
  const first = findSession(store, id)
  if (first === undefined || first === path) return undefined
  return damaged(store, path, id, `${store.root}/${first} is the session's file`)
}

function misplacedMessage(store: Store, path: string, { id, sessionID }: Message): StorageProblem | undefined {
  if (path !== messagePath(sessionID, id))
    return damaged(store, path, id, "its session's messages are in another directory")
  if (findSession(store, sessionID) !== undefined) return undefined
  return {
    kind: "reference",
    subject: id,
    message: `${store.root}/${path} belongs to session ${sessionID}, which has no file. Put its file back, or remove the session.`,
  }
}

function misplacedPart(store: Store, directory: string, path: string, part: Part): StorageProblem | undefined {
  const { id, sessionID, messageID } = part
  if (!store.fs.status(messagePath(sessionID, messageID))) {
    return {
      kind: "reference",
      subject: id,
      message: `${store.root}/${path} belongs to message ${messageID}, which has no file. Put it back in ${messageDirectory(sessionID)}, or run \`pawl storage rebuild\`, which moves the part to .pawl/quarantine.`,
    }
  }
  return partsOf(store, sessionID, messageID) === directory
    ? undefined
    : damaged(store, path, id, "its message's parts are in another directory")
}
