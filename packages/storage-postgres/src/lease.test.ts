import { sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { openRaw, openTestStorage, serverURL, storeSession, temporarySchema, noServer } from "../test/place.ts"

const id = sessionID(1)

it.skipIf(noServer)("refuses every write of an owner that was paused for longer than its lease", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await storeSession(storage, id)
  const owner = startChild("commit-under-lease.ts", [serverURL, schema, id, "200"])
  expect((await owner.lines.next()).value).toBe("acquired")
  owner.process.kill("SIGSTOP")
  let lease
  while (!lease) lease = await storage.acquire(id, "own_next", 60_000)
  const before = await storage.readContext(id)
  owner.process.kill("SIGCONT")
  const said = JSON.parse((await owner.lines.next()).value ?? "{}") as { committed: number; name: string }
  expect(said.name).toBe("StaleLeaseError")
  // What was on its way when the lease was taken was either refused or stands before the take-over.
  const after = await storage.readContext(id)
  expect(after.messages.length).toBe(said.committed)
  expect(after).toEqual(before)
  expect(await storage.commit(id, [], lease.token)).toBe(after.revision + 1)
})

it.skipIf(noServer)(
  "ends a lease that lies further ahead than its time, as after a clock that was set back",
  async () => {
    const schema = temporarySchema()
    const storage = await openTestStorage({ schema })
    await storeSession(storage, id)
    await storage.acquire(id, "own_a", 60_000)
    expect(await storage.acquire(id, "own_b", 60_000)).toBeUndefined()
    await (await openRaw()).query(`UPDATE ${schema}.session SET expires = expires + interval '1 hour'`)
    expect((await storage.acquire(id, "own_b", 60_000))?.token.epoch).toBe(2)
  },
)

it.skipIf(noServer)("goes on counting epochs when a session is removed and stored again", async () => {
  const storage = await openTestStorage()
  await storeSession(storage, id)
  const first = await storage.acquire(id, "own_a", 60_000)
  await storage.removeSession(id)
  await storeSession(storage, id)
  expect((await storage.acquire(id, "own_a", 60_000))?.token.epoch).toBe((first?.token.epoch ?? 0) + 1)
})
