import { createHash } from "node:crypto"
import { blobReferences, type LongWork, type Session, type StorageProblem } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import { abortable, type Connection } from "./connection.ts"
import { catchUp } from "./derive.ts"
import { type ListingColumns, listingColumns } from "./listing.ts"
import { verifyOrphans } from "./orphans.ts"
import { wordsOf } from "./part-words.ts"
import { orphan, parseRecord } from "./record.ts"
import { everyRecord, everySession, ownRecord, type SessionHead, type StoredRow } from "./whole-record.ts"

/** Checks everything: records, the session list, words, references and the bytes of blobs. */
export async function* verify(server: Connection, work: LongWork = {}): AsyncGenerator<StorageProblem> {
  work.signal?.throwIfAborted()
  const connection = abortable(server, work.signal)
  await catchUp(connection, { signal: work.signal })
  for await (const session of everySession(connection, work)) {
    yield* verifyListing(connection, session)
    let message: string | undefined
    for await (const rows of everyRecord(connection, session.key)) {
      for (const row of rows) {
        const { problem } = parseRecord(session.id, row)
        if (problem) yield problem
        else if (row.part_id === "") message = row.message_id
        else if (row.message_id !== message) yield orphan(session.id, row)
      }
      yield* verifyWords(connection, session, rows)
      yield* verifyReferences(connection, session, rows)
    }
  }
  yield* verifyOrphans(connection)
  yield* verifyBlobs(connection, work.signal)
}

async function* verifyListing(connection: Connection, { key, id }: SessionHead): AsyncGenerator<StorageProblem> {
  const own = await ownRecord(connection, key)
  if (!own) yield { kind: "damaged", subject: id, message: `Session ${id} has no record of its own. Restore a backup.` }
  const { value } = own ? parseRecord(id, own) : {}
  if (!value) return
  const [listed] = await connection.query<{ columns: ListingColumns }>(
    `SELECT ARRAY[parent_id, project_id, directory, title, archived::text, boundary] AS columns
     FROM pawl.listing WHERE session = $1`,
    [key],
  )
  const right = listingColumns(value as Session)
  if (listed && right.every((column, index) => column === listed.columns[index])) return
  yield derived(id, `The list does not show session ${id} as it was stored.`)
}

async function* verifyWords(
  connection: Connection,
  { key, id }: SessionHead,
  rows: readonly StoredRow[],
): AsyncGenerator<StorageProblem> {
  const parts = rows.filter((row) => row.part_id !== "")
  const found = await connection.query<{ message_id: string; part_id: string; words: string[] }>(
    `SELECT x.message_id, x.part_id, tsvector_to_array(x.words) AS words
     FROM unnest($2::text[], $3::text[]) AS p (message_id, part_id)
     JOIN pawl.search x ON x.session = $1 AND x.message_id = p.message_id AND x.part_id = p.part_id`,
    [key, parts.map((row) => row.message_id), parts.map((row) => row.part_id)],
  )
  const stored = new Map(found.map((row) => [`${row.message_id} ${row.part_id}`, row.words]))
  for (const row of parts) {
    const words = wordsOf(id, row)?.split(" ").toSorted() ?? []
    const indexed = stored.get(`${row.message_id} ${row.part_id}`)?.toSorted() ?? []
    if (words.length === indexed.length && words.every((word, index) => word === indexed[index])) continue
    // The record was written again since.
    if (await isNewer(connection, key, row)) continue
    yield derived(
      fromColumn(row.part_id),
      `The search does not know part ${fromColumn(row.part_id)} of session ${id} as it was stored.`,
    )
  }
}

async function* verifyReferences(
  connection: Connection,
  { key, id }: SessionHead,
  rows: readonly StoredRow[],
): AsyncGenerator<StorageProblem> {
  for (const row of rows) {
    const blobs = blobReferences(row.data)
    if (blobs.length === 0) continue
    const name = fromColumn(row.part_id || row.message_id) || id
    const found = await connection.query<{ blob: string; is_there: boolean; is_known: boolean }>(
      `SELECT blob, EXISTS (SELECT FROM pawl.blob b WHERE b.id = blob) AS is_there,
         EXISTS (SELECT FROM pawl.blob_reference f WHERE f.blob = wanted.blob AND f.session = $1
           AND f.message_id = $2 AND f.part_id = $3) AS is_known
       FROM unnest($4::text[]) AS wanted (blob)`,
      [key, row.message_id, row.part_id, blobs],
    )
    for (const { blob, is_there: isThere, is_known: isKnown } of found) {
      if (!isThere) {
        const message = `Blob ${blob} is missing, to which ${name} of session ${id} refers. Restore it from a backup; the rest can be read.`
        yield { kind: "reference", subject: blob, message }
      }
      if (!isKnown && !(await isNewer(connection, key, row))) {
        yield derived(blob, `It is not known that ${name} of session ${id} refers to blob ${blob}.`)
      }
    }
  }
}

async function* verifyBlobs(connection: Connection, signal: AbortSignal | undefined): AsyncGenerator<StorageProblem> {
  let last = ""
  for (;;) {
    const blobs = await connection.query<{ id: string; size: number }>(
      "SELECT id, size FROM pawl.blob WHERE id > $1 ORDER BY id LIMIT 100",
      [last],
    )
    for (const { id, size } of blobs) {
      signal?.throwIfAborted()
      if (await isWhole(connection, id, size)) continue
      yield {
        kind: "damaged",
        subject: id,
        message: `Blob ${id} does not hold its bytes. Restore a backup.`,
      }
    }
    if (blobs.length === 0) return
    last = blobs.at(-1)?.id ?? last
  }
}

async function isWhole(connection: Connection, id: string, size: number): Promise<boolean> {
  const hash = createHash("sha256")
  let bytes = 0
  for (let position = 0; bytes < size; position++) {
    const [piece] = await connection.query<{ bytes: Buffer }>(
      "SELECT bytes FROM pawl.blob_piece WHERE blob = $1 AND position = $2",
      [id, position],
    )
    if (!piece || piece.bytes.length === 0) break
    hash.update(piece.bytes)
    bytes += piece.bytes.length
  }
  if (bytes === size && hash.digest("hex") === id) return true
  // The blob was removed since.
  return (await connection.query("SELECT FROM pawl.blob WHERE id = $1", [id])).length === 0
}

async function isNewer(connection: Connection, key: number, row: StoredRow): Promise<boolean> {
  const same = await connection.query(
    "SELECT FROM pawl.record WHERE session = $1 AND message_id = $2 AND part_id = $3 AND revision = $4 AND data = $5",
    [key, row.message_id, row.part_id, row.revision, row.data],
  )
  return same.length === 0
}

function derived(subject: string, message: string): StorageProblem {
  return { kind: "derived", subject, message: `${message} Rebuild the storage.` }
}
