import type { DatabaseSync } from "node:sqlite"
import { openPages } from "./pages.ts"
import { type Row, readRows, type Value } from "./rows.ts"
import { settleBlobs, storeBlob } from "./settle-blobs.ts"
import { settleRecords } from "./settle-records.ts"

export interface Salvaged {
  readonly sessions: number
  readonly messages: number
  readonly parts: number
  readonly blobs: number
  /** Pages and rows that could not be read. */
  readonly lost: { readonly rows: number; readonly pages: number }
}

/**
 * Copies all readable rows of a damaged database into an empty one of the newest version, without its header, its schema
 * and the upper pages of its trees. Of several versions of a row, takes the one with the highest key, which is newer than
 * deleted ones on free pages.
 */
export function salvage(path: string, into: DatabaseSync): Salvaged {
  const lost = { rows: 0, pages: 0 }
  const pages = openPages(path)
  try {
    into.exec("BEGIN")
    into.exec(scratch)
    const keep = createKeeper(into)
    for (const row of readRows(pages, lost)) keep(row)
    settleRecords(into)
    const blobs = settleBlobs(into)
    into.exec("COMMIT")
    return { ...countOf(into), blobs, lost }
  } finally {
    pages.close()
  }
}

/** Holds the rows found, before they are assigned to sessions, messages and blobs. */
const scratch = `
CREATE TEMP TABLE found_record (key INTEGER PRIMARY KEY, session, message_id, part_id, revision, data, id TEXT);
CREATE TEMP TABLE found_session (key, id, parent_id, project_id, directory, title, archived);
CREATE TEMP TABLE found_lease (session, owner, epoch, ttl, expires, boot, host, pid, process_start);
CREATE TEMP TABLE found_blob (key INTEGER PRIMARY KEY, id, size, whole, put, boot, uptime);
CREATE TEMP TABLE found_piece (blob, position, last, bytes, PRIMARY KEY (blob, position));
CREATE TEMP TABLE found_chunk (record, position, bytes, PRIMARY KEY (record, position));
`

type Kind = "null" | "integer" | "text" | "blob" | "text?" | "number" | "integer?"

/** Shapes of the rows of each table. The row stores NULL instead of the table's key. */
const shapes: readonly { readonly kinds: readonly Kind[]; readonly sql: string }[] = [
  {
    kinds: ["null", "integer", "text", "text", "integer", "text?"],
    sql: "INSERT OR IGNORE INTO found_record VALUES (?, ?, ?, ?, ?, ?, NULL)",
  },
  {
    kinds: ["null", "text", "text?", "text", "text", "text", "integer"],
    sql: "INSERT INTO found_session VALUES (?, ?, ?, ?, ?, ?, ?)",
  },
  { kinds: ["integer", "integer", "blob"], sql: "INSERT OR IGNORE INTO found_chunk VALUES (?, ?, ?)" },
  { kinds: ["null", "text"], sql: "INSERT OR IGNORE INTO removed_session (key, id) VALUES (?, ?)" },
  {
    kinds: ["null", "text", "integer?"],
    sql: "INSERT OR IGNORE INTO removed_session (key, id, session) VALUES (?, ?, ?)",
  },
  {
    kinds: ["null", "text", "integer?", "integer", "number", "integer"],
    sql: "INSERT OR IGNORE INTO removed_session (key, id, session, epoch, time, rest) VALUES (?, ?, ?, ?, ?, ?)",
  },
  {
    kinds: ["null", "text?", "integer", "number", "number", "text", "text", "integer", "text"],
    sql: "INSERT INTO found_lease VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
  },
  {
    kinds: ["null", "text", "integer", "integer", "number", "text", "number"],
    sql: "INSERT OR IGNORE INTO found_blob VALUES (?, ?, ?, ?, ?, ?, ?)",
  },
  {
    kinds: ["integer", "integer", "integer", "blob"],
    sql: "INSERT OR IGNORE INTO found_piece VALUES (?, ?, ?, ?)",
  },
  {
    kinds: ["null", "text", "text", "text", "integer", "blob", "text", "number"],
    sql: "INSERT OR IGNORE INTO quarantine VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  },
]

function createKeeper(db: DatabaseSync): (row: Row) => void {
  const inserts = shapes.map(({ kinds, sql }) => ({ kinds, statement: db.prepare(sql) }))
  return ({ rowid, values }) => {
    const insert = inserts.find(({ kinds }) => matches(values, kinds))
    const isKey = (index: number) => insert?.kinds[index] === "null"
    insert?.statement.run(...values.map((value, index) => (isKey(index) ? rowid : value)))
    // A blob of version 1, which was a single row.
    if (matches(values, ["text", "blob"])) storeBlob(db, [values[1] as Buffer])
  }
}

function matches(values: readonly Value[], kinds: readonly Kind[]): boolean {
  return values.length === kinds.length && values.every((value, index) => isOf(value, kinds[index] ?? "null"))
}

function isOf(value: Value, kind: Kind): boolean {
  if (value === null) return kind === "null" || kind === "text?" || kind === "integer?"
  if (typeof value === "string") return kind === "text" || kind === "text?"
  if (typeof value === "number") {
    return kind === "number" || (Number.isInteger(value) && kind.startsWith("integer"))
  }
  return kind === "blob"
}

function countOf(db: DatabaseSync): Pick<Salvaged, "sessions" | "messages" | "parts"> {
  const row = db
    .prepare(
      "SELECT (SELECT count(*) FROM session) AS sessions, " +
        "count(*) FILTER (WHERE message_id <> '' AND part_id = '') AS messages, " +
        "count(*) FILTER (WHERE part_id <> '') AS parts FROM record WHERE data IS NOT NULL",
    )
    .get()
  return { sessions: Number(row?.["sessions"]), messages: Number(row?.["messages"]), parts: Number(row?.["parts"]) }
}
