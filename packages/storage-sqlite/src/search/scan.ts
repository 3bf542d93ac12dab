import { matchesWords, type Part, type SearchHit, type SearchQuery, searchText, searchWords } from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { parseRecord } from "../record.ts"
import { turn } from "../turn.ts"
import { createScope } from "./scope.ts"
import { type HitRow, toSearchHit } from "./hit.ts"

export interface ScannedPage {
  readonly hits: SearchHit[]
  /** The next page holds keys below this one; undefined after the last page. */
  readonly next: number | undefined
}

/** Reads parts between two keys, newest first, for one turn. For files that cannot be written, whose index lacks these parts. */
export function scanParts(
  connection: Connection,
  query: SearchQuery,
  words: readonly string[],
  { after, before, size }: { readonly after: number; readonly before: number; readonly size: number },
): ScannedPage {
  const hasTime = turn()
  const { sql, values } = createScope(connection, query)
  const rows = connection
    .statement(
      "SELECT record.key AS key, session.id AS session_id, message_id, part_id, revision, data " +
        "FROM record CROSS JOIN session ON session.key = record.session " +
        `WHERE record.key > ? AND record.key < ? AND part_id <> '' AND data IS NOT NULL ${sql}ORDER BY record.key DESC`,
    )
    .iterate(after, before, ...values) as Iterable<unknown> as Iterable<HitRow>
  const hits: SearchHit[] = []
  for (const row of rows) {
    const { value } = parseRecord(connection, row)
    const text = value === undefined ? undefined : searchText(value as Part)
    if (text !== undefined && matchesWords(searchWords(text), words)) hits.push(toSearchHit(row, text))
    if (hits.length >= size || !hasTime()) return { hits, next: row.key }
  }
  return { hits, next: undefined }
}
