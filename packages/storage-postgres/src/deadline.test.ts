import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import { StorageError } from "@pawl/core/storage"
import { messageID, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import type { Client } from "pg"
import { expect, it, onTestFinished } from "vitest"
import { noServer, openRaw, openTestStorage, serverURL, storeSession, temporarySchema } from "../test/place.ts"
import { openConnection } from "./connection.ts"

const [id, other] = [sessionID(1), sessionID(2)]
const put = (number: number) => [{ type: "message.put", message: sampleUserMessage(id, messageID(number)) }] as const

/** How many statements of an application the server still runs. */
async function running(raw: Client, applicationName: string): Promise<number> {
  const { rows } = await raw.query("SELECT FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle'", [
    applicationName,
  ])
  return rows.length
}

it.skipIf(noServer)("ends on the server too what waits for a lock for too long, and says so", async () => {
  const schema = temporarySchema()
  const options = { schema, applicationName: "deadline", statementTimeout: 1000, poolSize: 1 }
  const storage = await openTestStorage(options)
  await storeSession(storage, id)
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await raw.query(`SELECT FROM ${schema}.session WHERE id = $1 FOR UPDATE`, [id])
  const stuck = storage.commit(id, put(1))
  await expect(stuck).rejects.toThrow(StorageError)
  await expect(stuck).rejects.toThrow(
    `${storage.location} did not finish a statement within 1 s, so it was given up and nothing was written. Another process may hold a lock`,
  )
  await expect.poll(() => running(watching, "deadline")).toBe(0)
  await storeSession(storage, other)
  await raw.query("COMMIT")
  expect(await storage.commit(id, put(2))).toBe(2)
  expect((await storage.readContext(id)).messages.map(({ info }) => info.id)).toEqual([messageID(2)])
})

it.skipIf(noServer)("ends on the server too what its caller aborts", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "aborted", poolSize: 1 })
  await storeSession(storage, id)
  const [raw, watching] = [await openRaw(), await openRaw()]
  await raw.query("BEGIN")
  await raw.query(`LOCK TABLE ${schema}.session`)
  const abort = new AbortController()
  const work = storage.rebuild({ signal: abort.signal })
  const outcome = work.catch(String)
  while ((await running(watching, "aborted")) === 0) await sleep(5)
  abort.abort(new Error("enough"))
  expect(await outcome).toBe("Error: enough")
  await expect.poll(() => running(watching, "aborted")).toBe(0)
  await raw.query("COMMIT")
  await storage.rebuild()
})

it.skipIf(noServer)("does not end with one statement the one after it", async () => {
  const connection = await openConnection({ url: serverURL, applicationName: "after", poolSize: 1 })
  onTestFinished(() => connection.close())
  for (let time = 0; time < 20; time++) {
    // Ends at about the moment at which it is given up.
    const slow = connection.query("SELECT pg_sleep($1)", [0.02], { timeout: 20 })
    await slow.catch((error: unknown) => expect(error).toBeInstanceOf(StorageError))
    expect(await connection.query("SELECT 1 AS one, pg_sleep($1)", [0.005])).toMatchObject([{ one: 1 }])
  }
})

it.skipIf(noServer)("begins nothing for a caller that aborted while it was being connected", async () => {
  const connection = await openConnection({ url: serverURL, poolSize: 1 })
  onTestFinished(() => connection.close())
  const abort = new AbortController()
  const asked = connection.query("SELECT pg_sleep($1)", [60], { signal: abort.signal })
  await nextTurn()
  abort.abort(new Error("enough"))
  await expect(asked).rejects.toThrow("enough")
})
