import type { SessionID } from "@pawl/core/storage"
import { sampleSession, sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { noServer, serverURL, temporarySchema } from "../test/place.ts"
import { openConnection } from "./connection.ts"
import { listSessions } from "./list-sessions.ts"
import { ensureSchema } from "./schema.ts"

/** Sessions from the first number to the last, whose records have a title of so many characters. */
async function storeSessions(numbers: readonly [first: number, last: number], titleLength: number) {
  const connection = await openConnection({ url: serverURL, schema: temporarySchema() })
  onTestFinished(() => connection.close())
  await ensureSchema(connection)
  const [first, last] = numbers
  const width = sessionID(1).length - "ses_".length
  await connection.query(
    `INSERT INTO pawl.session (id, revision) SELECT 'ses_' || lpad(n::text, ${width}, '0'), 1 FROM generate_series(${first}, ${last}) n`,
  )
  await connection.query(
    "INSERT INTO pawl.listing SELECT key, id, NULL, 'project', '/srv/project', 'title', false FROM pawl.session",
  )
  const session = sampleSession("ses_", { title: "x".repeat(titleLength) })
  await connection.query(
    `INSERT INTO pawl.record SELECT key, '', '', 1, 1, replace($1, '"ses_"', to_json(id)::text) FROM pawl.session`,
    [JSON.stringify(session)],
  )
  const pages: number[] = []
  const bytes: number[] = []
  const measured: typeof connection = {
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      const rows = await connection.query<Row>(...query)
      pages.push(rows.length)
      bytes.push(JSON.stringify(rows).length)
      return rows
    },
  }
  return { connection: measured, pages, bytes }
}

async function idsOf(sessions: AsyncIterable<{ readonly id: SessionID }>): Promise<SessionID[]> {
  const ids: SessionID[] = []
  for await (const { id } of sessions) ids.push(id)
  return ids
}

const numbered = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => sessionID(first + index))

it.skipIf(noServer)("reads ten thousand sessions in a handful of statements, and a few in one", async () => {
  const { connection, pages } = await storeSessions([1, 10_000], 10)
  expect(await idsOf(listSessions(connection))).toEqual(numbered(1, 10_000))
  expect(pages.length).toBeLessThanOrEqual(6)

  pages.length = 0
  expect(await idsOf(listSessions(connection, { limit: 20 }))).toEqual(numbered(1, 20))
  expect(await idsOf(listSessions(connection, { limit: 20, after: sessionID(9_990) }))).toEqual(numbered(9_991, 10_000))
  expect(pages).toEqual([20, 10])
})

it.skipIf(noServer)("ends a page by its bytes too, and leaves out no session", async () => {
  const { connection, bytes } = await storeSessions([1, 40], 400_000)
  expect(await idsOf(listSessions(connection, { limit: 30 }))).toEqual(numbered(1, 30))
  expect(await idsOf(listSessions(connection))).toEqual(numbered(1, 40))
  // The last record of a page may go beyond its size.
  expect(Math.max(...bytes)).toBeLessThan(5 * 1024 * 1024)
})
