import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { messageID, partID, sampleSession, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { startChild } from "./child.ts"
import { openStorage, temporaryDirectory } from "./place.ts"

const session = sessionID(1)

it("takes 50 commits to one session from each of 4 processes that make the directory together", async () => {
  const path = join(temporaryDirectory(), "new")
  const children = [0, 1, 2, 3].map((index) => startChild("commit-many.ts", [path, String(index * 50 + 1), "50"]))
  const ends = await Promise.all(children.map(({ ended }) => ended))
  expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: "" })))

  const { messages, revision } = await (await openStorage(path)).readContext(session)
  expect(revision).toBe(204)
  expect(messages.map(({ info }) => info.id)).toEqual(Array.from({ length: 200 }, (_, index) => messageID(index + 1)))
  for (const left of ["lock", "tmp", "owner"]) expect(readdirSync(join(path, ".pawl", left))).toEqual([])
})

it("keeps every acknowledged commit of a killed writer and frees its locks and lease at once", async () => {
  await Promise.all(Array.from({ length: 4 }, killAndReopen))
})

async function killAndReopen(): Promise<void> {
  const path = temporaryDirectory()
  const child = startChild("commit-forever.ts", [path])
  const first = await child.lines.next()
  await sleep(Math.random() * 60)
  child.process.kill("SIGKILL")
  let acknowledged = Number(first.value)
  for (let line = await child.lines.next(); !line.done; line = await child.lines.next())
    acknowledged = Number(line.value)
  expect(await child.ended).toEqual({ code: null, signal: "SIGKILL", stderr: "" })

  const storage = await openStorage(path)
  const { revision, messages, damaged } = await storage.readContext(session)
  expect(revision).toBeGreaterThanOrEqual(acknowledged)
  expect(damaged).toBeUndefined()
  // Revision 1 made the session; each later one a message with its part. Nothing is missing and nothing is half there.
  const numbers = Array.from({ length: revision - 1 }, (_, index) => index + 1)
  expect(messages.map(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)])).toEqual(
    numbers.map((number) => [messageID(number), partID(number)]),
  )
  const lease = await storage.acquire(session, "own_next", 60_000)
  expect(lease?.token.epoch).toBe(2)
  expect(await storage.commit(session, [], lease?.token)).toBe(revision + 1)
}

it("refuses the commits of an owner that was stopped until another took its session", async () => {
  const path = temporaryDirectory()
  const storage = await openStorage(path)
  await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
  const child = startChild("commit-under-lease.ts", [path])
  expect((await child.lines.next()).value).toBe("acquired")

  let lease = await storage.acquire(session, "own_next", 60_000)
  while (!lease) {
    await sleep(20)
    lease = await storage.acquire(session, "own_next", 60_000)
  }
  await storage.commit(session, [{ type: "session.patch", changes: { title: "taken over" } }], lease.token)
  child.process.kill("SIGCONT")

  expect((await child.lines.next()).value).toBe("StaleLeaseError")
  expect(await child.ended).toEqual({ code: 0, signal: null, stderr: "" })
  expect((await storage.getSession(session))?.title).toBe("taken over")
})

it("tells a watcher of what another process commits, long before it would look by itself", async () => {
  const path = temporaryDirectory()
  const storage = await openStorage(path, { pollInterval: 600_000 })
  const abort = new AbortController()
  const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
  const child = startChild("commit-many.ts", [path, "1", "20"])
  let revision = 0
  while (revision < 21) revision = (await changes.next()).value?.revision ?? 99
  expect(revision).toBe(21)
  abort.abort()
  expect((await child.ended).code).toBe(0)
})
