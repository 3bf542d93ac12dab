import type { DatabaseSync, StatementSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { StorageError } from "@pawl/core/storage"
import { isObject } from "../json.ts"
import { parsedJSON } from "./json-text.ts"
import type { OpenCodeReader, Report } from "./reader.ts"
import { MAX_RECORD_BYTES, reportSize } from "./within-limits.ts"

type Row = Readonly<Record<string, unknown>>

const LOCK_MS = 5000

/**
 * Reads OpenCode's SQLite database. It is opened with `mode=ro`, so OpenCode may continue to write, and recent commits
 * are read from the write-ahead log. Each message is one read, without a long transaction. A copy of the files could be
 * inconsistent, and `immutable` would ignore the log. `immutable` is used only if the directory is not writable,
 * because then there is no log.
 */
export function openDatabaseReader(path: string, report: Report): OpenCodeReader {
  const db = openReadOnly(path)
  const statements = new Map<string, StatementSync>()

  function all(sql: string, ...values: string[]): Row[] {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values)
  }

  /** Returns the bytes of all columns of a session, because the columns differ between versions. */
  function sessionBytes(): string {
    const columns = all("SELECT name FROM pragma_table_info('session')").map(({ name }) => String(name))
    const sum = columns.map((name) => `coalesce(octet_length("${name.replaceAll('"', '""')}"), 0)`).join(" + ")
    return `SELECT ${sum} AS bytes FROM session WHERE id = ?`
  }

  function fits(subject: string, sql: string, id: string): boolean {
    const [row] = all(sql, id)
    return row === undefined || isSmall(subject, row)
  }

  function isSmall(subject: string, row: Row): boolean {
    const bytes = Number(row["bytes"])
    if (bytes > MAX_RECORD_BYTES) reportSize(report, subject, bytes)
    return !(bytes > MAX_RECORD_BYTES)
  }

  function guarded<T>(subject: string, otherwise: T, read: () => T): T {
    try {
      return read()
    } catch (error) {
      report(subject, `It could not be read from ${path} and was left out: ${String(error)}`)
      return otherwise
    }
  }

  return {
    location: path,
    sessionIDs: async () => all("SELECT id FROM session ORDER BY id").map(({ id }) => String(id)),
    session: async (id) =>
      guarded(id, undefined, () => {
        if (!fits(id, sessionBytes(), id)) return undefined
        const [row] = all("SELECT * FROM session WHERE id = ?", id)
        return row && toSession(row, report)
      }),
    messageDirectories: async (sessionID) =>
      guarded(sessionID, [], () =>
        all("SELECT id, time_created FROM message WHERE session_id = ?", sessionID).map((row) => ({
          id: String(row["id"]),
          time: Number(row["time_created"]),
        })),
      ),
    message: async (sessionID, id) =>
      guarded(id, undefined, () => {
        if (!fits(id, "SELECT octet_length(data) AS bytes FROM message WHERE id = ?", id)) return undefined
        const [row] = all("SELECT time_created, data FROM message WHERE id = ?", id)
        const info = row && toRecord(row, { id, sessionID }, report)
        if (!info) return undefined
        const sizes = all("SELECT id, octet_length(data) AS bytes FROM part WHERE message_id = ? ORDER BY id", id)
        const read = sizes.filter((part) => isSmall(String(part["id"]), part))
        const rows = read.flatMap((part) =>
          all("SELECT id, time_created, data FROM part WHERE id = ?", String(part["id"])),
        )
        const parts = rows.map((part) => toRecord(part, { id: String(part["id"]), sessionID, messageID: id }, report))
        return { info: { time: { created: Number(row["time_created"]) }, ...info }, parts: parts.filter(isObject) }
      }),
    close: () => db.close(),
  }
}

function openReadOnly(path: string): DatabaseSync {
  try {
    return openDatabase(path, path)
  } catch (error) {
    if (error instanceof StorageError) throw error
    try {
      return openDatabase(`${pathToFileURL(path).href}?immutable=1`, path)
    } catch {
      const next = "Check its rights and that it is a SQLite database."
      throw new StorageError(`${path} cannot be read: ${String(error)}. ${next}`, { cause: error })
    }
  }
}

function openDatabase(location: string, path: string): DatabaseSync {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
  const db = new DatabaseSync(location, { readOnly: true, timeout: LOCK_MS })
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name IN ('session', 'message', 'part')").all()
    if (tables.length === 3) return db
    throw new StorageError(`${path} is not a database of OpenCode 1.x. Give the path of its opencode.db.`)
  } catch (error) {
    db.close()
    throw error
  }
}

function toRecord(row: Row, ids: Record<string, string>, report: Report): Record<string, unknown> | undefined {
  const value = parsedJSON(String(row["data"]), ids["id"] ?? "", report)
  if (isObject(value)) return { ...value, ...ids }
  if (value !== undefined) report(ids["id"] ?? "", "It is not a JSON object and was left out.")
  return undefined
}

/** Columns that contain JSON. */
const JSON_COLUMNS = ["summary_diffs", "metadata", "revert", "permission", "model"]

function toSession(stored: Row, report: Report): unknown {
  const row = { ...stored }
  for (const column of JSON_COLUMNS) {
    const text = row[column]
    row[column] = typeof text === "string" ? parsedJSON(text, `${String(row["id"])}.${column}`, report) : undefined
  }
  const given = (column: string) => row[column] ?? undefined
  return {
    id: row["id"],
    projectID: given("project_id"),
    workspaceID: given("workspace_id"),
    parentID: given("parent_id"),
    slug: given("slug"),
    directory: given("directory"),
    path: given("path"),
    title: given("title"),
    version: given("version"),
    agent: given("agent"),
    model: given("model"),
    metadata: given("metadata"),
    permission: given("permission"),
    revert: given("revert"),
    share: row["share_url"] ? { url: row["share_url"] } : undefined,
    summary:
      given("summary_additions") === undefined
        ? undefined
        : {
            additions: row["summary_additions"],
            deletions: given("summary_deletions") ?? 0,
            files: given("summary_files") ?? 0,
            diffs: given("summary_diffs"),
          },
    cost: given("cost"),
    tokens:
      given("tokens_input") === undefined
        ? undefined
        : {
            input: row["tokens_input"],
            output: row["tokens_output"],
            reasoning: row["tokens_reasoning"],
            cache: { read: row["tokens_cache_read"], write: row["tokens_cache_write"] },
          },
    time: {
      created: given("time_created"),
      updated: given("time_updated"),
      archived: given("time_archived"),
    },
  }
}
