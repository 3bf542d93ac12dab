import {
  blobReferences,
  type LongWork,
  type Message,
  type Part,
  searchText,
  searchWords,
  type Session,
  type StorageProblem,
} from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { damagedRecord, derivedProblem, missingMessageOf } from "../damage.ts"
import { readProgress } from "../progress.ts"
import { lastKey, parseRecord, readJSON } from "../record.ts"
import { scanRecords, type ScannedRow } from "../record-scan.ts"
import { entryState } from "../search/verify-search.ts"
import { agreesWithRow } from "../session-row.ts"

export async function* verifyRecords(
  connection: Connection,
  { signal, onProgress }: LongWork,
): AsyncGenerator<StorageProblem> {
  /** Missing blobs. Each is reported once, even if several records refer to it. */
  const missing = new Set<string>()
  const problemsOf = (row: ScannedRow): StorageProblem[] => {
    const { value, reason } = parseRecord(connection, row)
    if (reason !== undefined) return damaged(connection, row, reason)
    return [
      ...ownership(connection, row, value as Session | Message | Part),
      ...references(connection, row, missing),
      ...(row.part_id === "" ? [] : searchEntry(connection, row, value as Part)),
    ]
  }
  const total = await connection.inspect(() => lastKey(connection))
  for await (const { found, upTo } of scanRecords(connection, problemsOf, signal)) {
    yield* found.flat()
    onProgress?.(Math.min(upTo, total), total)
  }
}

/** Parts of a damaged message cannot be reached. */
function damaged(connection: Connection, row: ScannedRow, reason: string): StorageProblem[] {
  const isMessage = row.message_id !== "" && row.part_id === ""
  const parts = isMessage
    ? connection
        .statement(
          "SELECT key, message_id, part_id FROM record WHERE session = ? AND message_id = ? AND part_id <> '' AND data IS NOT NULL",
        )
        .all(row.session, row.message_id)
    : []
  return [
    damagedRecord(connection.path, row, reason),
    ...parts.map((part) => missingMessageOf(connection.path, part as unknown as ScannedRow)),
  ]
}

function ownership(connection: Connection, row: ScannedRow, value: Session | Message | Part): StorageProblem[] {
  const { path } = connection
  const { sessionID, session } = row
  if (sessionID === undefined) {
    const subject = row.part_id || row.message_id || value.id
    const message = `${subject} in ${path} (row ${row.key}) belongs to no session. \`pawl storage rebuild\` mends it.`
    return [{ kind: "reference", subject, message }]
  }
  const named = row.message_id === "" ? value.id : (value as Message | Part).sessionID
  if (named !== sessionID) return [damagedRecord(path, row, `names session ${named}`)]
  if (row.part_id !== "" && !row.hasMessage) return [missingMessageOf(path, row)]
  if (row.message_id !== "" || agreesWithRow(connection, session, value as Session)) return []
  return [derivedProblem(`session ${sessionID}`, `The list's row of session ${sessionID} in ${path}`)]
}

function references(connection: Connection, row: ScannedRow, missing: Set<string>): StorageProblem[] {
  const { path } = connection
  const ids = blobReferences(readJSON(connection, row))
  const problems: StorageProblem[] = []
  for (const id of ids) {
    if (missing.has(id) || connection.statement("SELECT 1 FROM blob WHERE id = ? AND whole = 1").get(id)) continue
    missing.add(id)
    problems.push({ kind: "reference", subject: id, message: `Blob ${id} is referred to and missing from ${path}.` })
  }
  const known = connection.statement("SELECT 1 FROM reference WHERE blob = ? AND record = ?")
  const isTakenIn = ids.length > 0 && row.key <= readProgress(connection, "reference")
  if (isTakenIn && !ids.every((id) => known.get(id, row.key))) {
    problems.push(derivedProblem("reference", `What is known of the blobs that row ${row.key} in ${path} refers to`))
  }
  return problems
}

function searchEntry(connection: Connection, row: ScannedRow, part: Part): StorageProblem[] {
  const text = searchText(part)
  const words = text === undefined ? [] : searchWords(text)
  if (words.length === 0 || row.key > readProgress(connection, "search")) return []
  if (entryState(connection, row.key, row.session, words) === "right") return []
  return [derivedProblem("search", `The search index in ${connection.path} for row ${row.key}`)]
}
