import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { StaleLeaseError } from "@pawl/core/storage"
import { currentProcess } from "@pawl/storage-kit"
import { sessionID } from "@pawl/storage-testkit"
import { describe, expect, it, vi } from "vitest"
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

/** A session leased to "own_a" for a minute, and its row to rewrite as another process would have left it. */
async function leased() {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await storeSession(storage, id)
  const lease = await storage.acquire(id, "own_a", 60_000)
  const raw = await openRaw()
  return {
    ...{ schema, storage, lease, raw },
    setProcess: async (changes: object) => {
      const process = JSON.stringify({ ...currentProcess(), ...changes })
      await raw.query(`UPDATE ${schema}.session SET process = $1`, [process])
    },
  }
}

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await once(child, "exit")
  return Number(child.pid)
}

describe.skipIf(noServer || process.platform !== "linux")("the process of a lease", () => {
  it("loses the session at once when it is gone, and its writes are refused", async () => {
    const { storage, lease, setProcess } = await leased()
    await setProcess({ pid: await endedPid() })
    expect((await storage.acquire(id, "own_b", 60_000))?.token.epoch).toBe(2)
    await expect(storage.commit(id, [], lease?.token)).rejects.toThrow(StaleLeaseError)
  })

  it("loses the session at once when another process has its id", async () => {
    const { storage, setProcess } = await leased()
    await setProcess({ start: String(Number(currentProcess().start) - 1) })
    expect(await storage.leaseHolder?.(id)).toBeUndefined()
    expect((await storage.acquire(id, "own_b", 60_000))?.token.epoch).toBe(2)
  })

  it.each([
    ["lives", {}],
    ["is of another boot, as on another machine of the same name", { boot: "another" }],
    ["is of another process-id namespace, as in another container of the same name", { host: "same pid:[1]" }],
    ["is of a system that does not show its boot", { boot: "unknown" }],
  ])("keeps the session when it %s, though no process here has its id", async (_what, changes) => {
    const { storage, setProcess } = await leased()
    await setProcess({ ...(Object.keys(changes).length > 0 && { pid: await endedPid() }), ...changes })
    expect(await storage.acquire(id, "own_b", 60_000)).toBeUndefined()
  })

  it.each(["", "null", "{", '{"pid":0}'])("keeps the session when its name is unreadable: %j", async (text) => {
    const { storage, raw, schema } = await leased()
    await raw.query(`UPDATE ${schema}.session SET process = $1`, [text])
    expect(await storage.acquire(id, "own_b", 60_000)).toBeUndefined()
    expect(await storage.leaseHolder?.(id)).toMatchObject({ epoch: 1, isAlive: false, process: undefined })
  })

  it("does not count for a later lease of a version that names no process", async () => {
    const { storage, lease, raw, schema, setProcess } = await leased()
    await setProcess({ pid: await endedPid() })
    await lease?.release()
    // As a process takes it that was started before the columns were there.
    await raw.query(
      `UPDATE ${schema}.session SET owner = 'own_old', epoch = epoch + 1, expires = clock_timestamp() + interval '1 minute'`,
    )
    expect(await storage.acquire(id, "own_b", 60_000)).toBeUndefined()
  })

  it("is unknown of a lease that was taken before the schema had a place for it", async () => {
    const { storage, raw, schema } = await leased()
    await storage.close()
    await raw.query(
      `ALTER TABLE ${schema}.session DROP COLUMN process, DROP COLUMN process_epoch;
       DELETE FROM ${schema}.pawl_schema WHERE version = 3`,
    )
    const next = await openTestStorage({ schema })
    expect(await next.acquire(id, "own_b", 60_000)).toBeUndefined()
    expect(await next.leaseHolder?.(id)).toMatchObject({ epoch: 1, process: undefined })
  })

  it("keeps the session while it is stopped, until the time of its lease is over", async () => {
    const schema = temporarySchema()
    const storage = await openTestStorage({ schema })
    await storeSession(storage, id)
    const owner = startChild("commit-under-lease.ts", [serverURL, schema, id, "60000"])
    expect((await owner.lines.next()).value).toBe("acquired")
    owner.process.kill("SIGSTOP")
    await vi.waitUntil(() => readFileSync(`/proc/${owner.process.pid}/stat`, "utf8").includes(") T "))
    expect(await storage.acquire(id, "own_next", 60_000)).toBeUndefined()
    expect(await storage.leaseHolder?.(id)).toMatchObject({ isAlive: true, process: { pid: owner.process.pid } })
  })
})
