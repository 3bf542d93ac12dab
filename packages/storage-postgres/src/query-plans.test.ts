import type { MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { dropSchema, noServer, schemaFor, serverURL } from "../test/place.ts"
import { type Connection, openConnection, type Value } from "./connection.ts"
import { createStorage, postgresStorage } from "./postgres-storage.ts"

const schema = schemaFor("query plans")
const options = { url: serverURL, schema }

const SESSIONS = 4000
const PARTS = 20_000
const large = sessionID(1)
const boundary = messageID(PARTS - 10)

/** Many sessions, and one of many messages of which the last ten lie behind the boundary. */
async function fill(): Promise<() => Promise<void>> {
  const storage = await postgresStorage(options)
  const session = sampleSession(large, { boundary })
  await storage.commit(large, [{ type: "session.put", session }])
  await storage.close()
  const connection = await openConnection(options)
  const id = `'ses_' || lpad(n::text, ${large.length - 4}, '0')`
  await connection.query(
    `INSERT INTO pawl.session (id, revision) SELECT ${id}, 1 FROM generate_series(2, ${SESSIONS}) n`,
  )
  await connection.query(
    `INSERT INTO pawl.listing SELECT key, id, CASE WHEN key % 9 = 0 THEN '${large}' END, 'p' || key % 50, '/d' || key % 50, 'title', false
     FROM pawl.session WHERE id <> '${large}'`,
  )
  await connection.query(
    `INSERT INTO pawl.record SELECT key, '', '', 1, 1, $1 FROM pawl.session WHERE id <> '${large}'`,
    [JSON.stringify(session)],
  )
  const message = JSON.stringify(sampleUserMessage(large, "msg_"))
  const part = JSON.stringify(sampleText(large, "msg_", "prt_", { text: "some words" }))
  const number = (prefix: string, width: number) => `'${prefix}_' || lpad(n::text, ${width}, '0')`
  const name = number("msg", messageID(1).length - 4)
  await connection.query(
    `INSERT INTO pawl.record SELECT s.key, ${name}, '', n, 1, replace($1, 'msg_', ${name})
     FROM pawl.session s, generate_series(1, ${PARTS}) n WHERE s.id = '${large}'`,
    [message],
  )
  await connection.query(
    `INSERT INTO pawl.record SELECT s.key, ${name}, ${number("prt", partID(1).length - 4)}, n, 2,
       replace(replace($1, 'msg_', ${name}), 'prt_', ${number("prt", partID(1).length - 4)})
     FROM pawl.session s, generate_series(1, ${PARTS}) n WHERE s.id = '${large}'`,
    [part],
  )
  await connection.query(`UPDATE pawl.session SET revision = ${PARTS} WHERE id = '${large}'`)
  await connection.query("VACUUM ANALYZE pawl.record, pawl.listing, pawl.session")
  await connection.close()
  return () => dropSchema(schema)
}

/** How PostgreSQL carried out each statement that `use` sends, one line a step, with the rows it went through. */
async function plansOf(use: (storage: MaintainedStorage) => Promise<unknown>): Promise<string> {
  const connection = await openConnection(options)
  onTestFinished(() => connection.close())
  const statements: { sql: string; values: readonly Value[] }[] = []
  const recording: Connection = {
    ...connection,
    query(sql, values = [], query) {
      statements.push({ sql, values })
      return connection.query(sql, values, query)
    },
    read(sql, values, begin) {
      statements.push({ sql, values })
      return connection.read(sql, values, begin)
    },
  }
  await use(createStorage(recording, { ...options, listenURL: false }, { newest: "0", running: "{}" }))
  const plans: string[] = []
  for (const { sql, values } of statements) {
    const rows = await connection.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF) ${sql}`,
      values,
    )
    plans.push(...rows.map((row) => row["QUERY PLAN"]))
  }
  return plans.join("\n")
}

/** The most rows that any step gave or left out. */
function mostRows(plans: string): number {
  const counts = plans.matchAll(/actual rows=([\d.]+)|Rows Removed by Filter: (\d+)/g)
  return Math.max(...Array.from(counts, ([, given, removed]) => Number(given ?? removed)))
}

async function drain(items: AsyncIterable<unknown>, limit = 50): Promise<void> {
  let left = limit
  for await (const _ of items) if (--left <= 0) return
}

describe.skipIf(noServer)("with many rows", () => {
  beforeAll(fill)

  it.each([
    ["the context", (storage) => storage.readContext(large), "record_pkey", 25],
    ["the last changes", (storage) => storage.readChanges(large, PARTS - 5), "record_revision", 25],
    ["the newest messages", (storage) => drain(storage.readMessages(large)), "record_pkey", 110],
    [
      "messages of a later page",
      (storage) => drain(storage.readMessages(large, { before: messageID(9000) })),
      "record_pkey",
      110,
    ],
    ["the newest sessions", (storage) => drain(storage.listSessions({ limit: 50 })), "listing_id_key", 60],
    [
      "the newest sessions of a directory",
      (storage) => drain(storage.listSessions({ directory: "/d7", limit: 50 })),
      "listing_directory",
      90,
    ],
    ["the newest roots", (storage) => drain(storage.listSessions({ parentID: null, limit: 50 })), "listing", 60],
    ["children", (storage) => drain(storage.listSessions({ parentID: large, limit: 50 })), "listing_child", 60],
    ["a session", (storage) => storage.getSession(sessionID(9)), "listing_id_key", 5],
    [
      "a page behind another",
      (storage) => drain(storage.listSessions({ after: sessionID(3000), limit: 50 })),
      "listing_id_key",
      60,
    ],
  ] satisfies [string, (storage: MaintainedStorage) => Promise<unknown>, string, number][])(
    "reads %s through an index, and little more than it gives",
    async (_, use, index, rows) => {
      const plans = await plansOf(use)
      expect(plans).toContain(index)
      expect(plans).not.toContain("Seq Scan on")
      expect(mostRows(plans)).toBeLessThanOrEqual(rows)
    },
  )
})
