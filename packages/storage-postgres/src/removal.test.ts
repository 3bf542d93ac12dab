import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Session, SessionID, MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import type { Client } from "pg"
import { expect, it } from "vitest"
import { noServer, openRaw, openTestStorage, storeSession, temporarySchema } from "../test/place.ts"
import { listingColumns } from "./listing.ts"

const [root, child, other] = [sessionID(1), sessionID(2), sessionID(3)]

/** The commit of a session whole, within whatever transaction the client has begun. */
async function putSession(raw: Client, schema: string, session: Session): Promise<void> {
  await raw.query(
    `SELECT ${schema}.commit_writes($1, $2, 1, NULL, NULL, true, NULL, $3, '{put}', '{""}', '{""}', ARRAY[$4])`,
    [session.id, randomUUID(), listingColumns(session), JSON.stringify(session)],
  )
}

/** Resolves when the call has ended or its statement waits for a lock. */
async function endedOrWaiting(raw: Client, applicationName: string, call: Promise<unknown>): Promise<void> {
  const state = { ended: false }
  void Promise.allSettled([call]).then(() => (state.ended = true))
  while (!state.ended) {
    const { rows } = await raw.query(
      "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
      [applicationName],
    )
    if (rows.length > 0) return
    await sleep(5)
  }
}

async function listed(storage: MaintainedStorage): Promise<SessionID[]> {
  const ids: SessionID[] = []
  for await (const { id } of storage.listSessions()) ids.push(id)
  return ids
}

it.skipIf(noServer)("removes a child that another process is creating at that moment", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "removing" })
  await storeSession(storage, root)
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await putSession(raw, schema, sampleSession(child, { parentID: root }))
  const removed = storage.removeSession(root)
  await endedOrWaiting(watching, "removing", removed)
  await raw.query("COMMIT")
  await removed
  expect(await listed(storage)).toEqual([])
  expect(await storage.getSession(child)).toBeUndefined()
})

it.skipIf(noServer)("creates a child after its parent's removal as under any parent that is not there", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "creating" })
  await storeSession(storage, root)
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await raw.query(`SELECT ${schema}.remove_session($1)`, [root])
  const session = sampleSession(child, { parentID: root })
  const created = storage.commit(child, [{ type: "session.put", session }])
  await endedOrWaiting(watching, "creating", created)
  expect(await storage.getSession(child)).toBeUndefined()
  await raw.query("COMMIT")
  expect(await created).toBe(1)
  expect(await listed(storage)).toEqual([child])
})

it.skipIf(noServer)("keeps a child that another process moves out of the tree at that moment", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "moving" })
  await storeSession(storage, root)
  await storeSession(storage, other)
  await storage.commit(child, [{ type: "session.put", session: sampleSession(child, { parentID: root }) }])
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await putSession(raw, schema, sampleSession(child, { parentID: other }))
  const removed = storage.removeSession(root)
  await endedOrWaiting(watching, "moving", removed)
  await raw.query("COMMIT")
  await removed
  expect(await listed(storage)).toEqual([child, other])
  expect(await storage.getSession(child)).toEqual(sampleSession(child, { parentID: other }))
})

it.skipIf(noServer)("has removed a session before its records are deleted, so that nobody waits for that", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "purging" })
  await storage.commit(root, conversation())
  await storeSession(storage, other)
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await raw.query(`SELECT FROM ${schema}.record WHERE part_id <> '' FOR UPDATE`)
  const removed = storage.removeSession(root)
  await endedOrWaiting(watching, "purging", removed)
  expect(await listed(storage)).toEqual([other])
  await storage.commit(child, [{ type: "session.put", session: sampleSession(child, { parentID: root }) }])
  expect(await storage.commit(root, [{ type: "session.put", session: sampleSession(root) }])).toBe(1)
  await raw.query("COMMIT")
  await removed
  expect((await storage.readContext(root)).messages).toEqual([])
  expect(await recordsOf(raw, schema)).toBe(3)
})

it.skipIf(noServer)("waits for words that are being put, so that none are left", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "wordless" })
  await storage.commit(root, conversation())
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await raw.query(
    `SELECT ${schema}.put_derived(s.key, 0, 0, 1, 1, ARRAY[$2], ARRAY[$3], '{needle}', '{}', '{}', '{}')
     FROM ${schema}.session s WHERE s.id = $1`,
    [root, messageID(1), partID(1)],
  )
  const removed = storage.removeSession(root)
  await endedOrWaiting(watching, "wordless", removed)
  expect(await storage.getSession(root)).toBeDefined()
  await raw.query("COMMIT")
  await removed
  const { rows } = await raw.query(`SELECT FROM ${schema}.search`)
  expect(rows).toEqual([])
})

it.skipIf(noServer)("deletes by the garbage collection what an interrupted removal has left", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await storage.commit(root, conversation())
  const raw = await openRaw()
  await raw.query(`SELECT ${schema}.remove_session($1)`, [root])
  expect((await storage.stats()).records.part).toEqual({ count: 0, bytes: 0 })
  expect(await recordsOf(raw, schema)).toBe(5)
  await storage.gc({ minAge: 0 })
  expect(await recordsOf(raw, schema)).toBe(0)
  const { rows } = await raw.query(`SELECT FROM ${schema}.removed`)
  expect(rows).toEqual([])
})

function conversation() {
  return [
    { type: "session.put", session: sampleSession(root) },
    { type: "message.put", message: sampleUserMessage(root, messageID(1)) },
    ...[1, 2, 3].map((number) => {
      return { type: "part.put", part: sampleText(root, messageID(1), partID(number)) } as const
    }),
  ] as const
}

async function recordsOf(raw: Client, schema: string): Promise<number> {
  const { rows } = await raw.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${schema}.record`)
  return rows[0]?.count ?? 0
}
