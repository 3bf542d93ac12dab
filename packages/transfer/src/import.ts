import { type LongWork, type Session, type SessionID, type Storage, StorageError } from "@pawl/core/storage"
import { bringUpToDate } from "./bring-up-to-date.ts"
import { createCarriedBlobs } from "./carried-blobs.ts"
import { requireDepth } from "./depth.ts"
import type { SessionDocument, SessionEntry } from "./document.ts"
import { changedEntries, entryHash } from "./document-sessions.ts"
import { type Dropped, droppedOf } from "./dropped.ts"
import { ImportConflictError, type ImportedSession, type ImportOptions, type ImportReport } from "./import-report.ts"
import { importOpenCodeDocument, isOpenCodeDocument } from "./opencode/import-document.ts"
import { hasMore } from "./joined-messages.ts"
import { requireBounds } from "./limits/value-bounds.ts"
import { parseDocument } from "./parse-document.ts"
import { recordHash } from "./record-hash.ts"
import { restrictedEntries } from "./restricted-entries.ts"
import { defaultContinuation } from "./restriction.ts"
import { isUnfinished } from "./unfinished.ts"

/**
 * Imports the sessions of a document of pawl or OpenCode. Checks everything before the first write. Each session is
 * complete or marked as unfinished. Running the same import again continues an interrupted one, and does nothing if it
 * is complete. Rejects with DocumentError, ImportConflictError, SessionBusyError or StorageError.
 */
export async function importSession(
  storage: Storage,
  document: unknown,
  options: ImportOptions = {},
): Promise<ImportReport> {
  requireDepth(document)
  if (isOpenCodeDocument(document)) return importOpenCodeDocument(storage, document, options)
  const parsed = parseDocument(document)
  // Documents that pawl itself wrote are restored without limits.
  if (options.origin !== "here") requireBounds({ sessions: parsed.sessions })
  const { paths = [], ids = "keep", copy = "" } = options
  const changed = changedEntries(parsed, { paths, newIDs: ids === "new" ? copy : undefined })
  const { entries, dropped } = await allowedEntries(storage, changed, options)
  await refuseConflicts(storage, entries, ids)
  const report = await writeEntries(storage, entries, blobsOf(parsed), options)
  return {
    ...report,
    sessions: report.sessions.map((session, at) => ({
      ...session,
      from: parsed.sessions[at]?.session.id ?? session.id,
    })),
    dropped: droppedOf(dropped, report.sessions),
    warnings: [...maskedHere(parsed), ...changedByHand(parsed), ...notWhole(entries)],
  }
}

async function allowedEntries(
  storage: Storage,
  changed: readonly SessionEntry[],
  { origin, continuation = defaultContinuation }: ImportOptions,
): Promise<{ readonly entries: readonly SessionEntry[]; readonly dropped: readonly Dropped[] }> {
  if (origin !== "here") return restrictedEntries(storage, changed, continuation)
  const entries = await Promise.all(changed.map((entry) => withKnownParent(storage, entry, changed)))
  return { entries, dropped: [] }
}

async function writeEntries(
  storage: Storage,
  entries: readonly SessionEntry[],
  content: ReadonlyMap<string, string>,
  { signal, onProgress }: LongWork,
): Promise<Omit<ImportReport, "warnings" | "sessions" | "dropped"> & { sessions: Omit<ImportedSession, "from">[] }> {
  const blobs = createCarriedBlobs(storage)
  const sessions: Omit<ImportedSession, "from">[] = []
  let [messages, parts] = [0, 0]
  for (const [at, { session, messages: stored }] of entries.entries()) {
    onProgress?.(at, entries.length)
    const source = {
      session,
      messages: () => newestFirst(stored),
      readBlob: async (id: string) => {
        const base64 = content.get(id)
        return base64 === undefined ? undefined : Buffer.from(base64, "base64")
      },
    }
    const brought = await bringUpToDate(storage, source, { blobs, signal })
    await requireHash(storage, session.id, brought.hash)
    sessions.push({ id: session.id, outcome: brought.outcome })
    messages += brought.messages
    parts += brought.parts
  }
  onProgress?.(entries.length, entries.length)
  return { sessions, messages, parts, blobs: blobs.counts.blobs }
}

async function requireHash(storage: Storage, id: SessionID, hash: string): Promise<void> {
  if ((await recordHash(storage, id)) === hash) return
  throw new StorageError(
    `Session ${id} does not read back from ${storage.location} as it was written. Import it again; if that fails too, verify the storage.`,
  )
}

async function refuseConflicts(storage: Storage, entries: readonly SessionEntry[], ids: "keep" | "new"): Promise<void> {
  for (const entry of entries) {
    const { id } = entry.session
    const stored = await storage.getSession(id)
    if (!stored || (await isLeftOver(storage, stored, entry)) || (await recordHash(storage, id)) === entryHash(entry)) {
      continue
    }
    const nextStep = ids === "keep" ? 'Import with new ids (ids: "new") for a copy' : "Name another copy (copy: …)"
    throw new ImportConflictError(id, `${nextStep}, or remove the session that is here.`)
  }
}

/** Returns true if an interrupted import left the session and no message has been added since. */
async function isLeftOver(storage: Storage, stored: Session, { messages }: SessionEntry): Promise<boolean> {
  return isUnfinished(stored) && !(await hasMore(storage.readMessages(stored.id), newestFirst(messages)))
}

/** A session whose parent is missing would not appear in any list, so it becomes a root. */
async function withKnownParent(
  storage: Storage,
  entry: SessionEntry,
  all: readonly SessionEntry[],
): Promise<SessionEntry> {
  const { parentID, ...root } = entry.session
  if (parentID === undefined || all.some(({ session }) => session.id === parentID)) return entry
  return (await storage.getSession(parentID)) ? entry : { ...entry, session: root }
}

function blobsOf({ blobs }: SessionDocument): ReadonlyMap<string, string> {
  return new Map(blobs.map(({ id, base64 }) => [id, base64]))
}

/** Nothing is missing from a masked document if nothing had to be masked. */
function maskedHere({ masked, report: { removed = {} } }: SessionDocument): string[] {
  const { unchecked: _, ...kinds } = removed
  const count = Object.values(kinds).reduce((sum, each) => sum + each, 0)
  if (masked === undefined || count === 0) return []
  const places = count === 1 ? "one place has" : `${count} places have`
  return [
    `The document was masked when it was exported: ${places} [removed:…] where something secret or personal was. ` +
      "For all of it: pawl session export --raw",
  ]
}

function changedByHand({ sessions }: SessionDocument): string[] {
  return sessions
    .filter((entry) => entry.hash !== undefined && entry.hash !== entryHash(entry))
    .map(({ session }) => `Session ${session.id} is not as it was exported: the document was changed since.`)
}

function notWhole(entries: readonly SessionEntry[]): string[] {
  return entries
    .filter(({ session }) => isUnfinished(session))
    .map(
      ({ session }) => `Session ${session.id} was exported before all of it had arrived there: messages are missing.`,
    )
}

async function* newestFirst(messages: SessionEntry["messages"]): AsyncGenerator<SessionEntry["messages"][number]> {
  yield* messages.toReversed()
}
