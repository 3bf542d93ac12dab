import { setTimeout as sleep } from "node:timers/promises"
import { messageID, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { startChild } from "./child.ts"
import { openStorage, storeSession, temporaryFile } from "./place.ts"

const session = sessionID(1)

it("takes 100 commits from each of 4 processes that make the file together", async () => {
  const path = temporaryFile()
  const children = [0, 1, 2, 3].map((index) => startChild("commit-many.ts", [path, String(index * 100 + 1), "100"]))
  const ends = await Promise.all(children.map(({ ended }) => ended))
  expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: "" })))

  const { messages, revision } = await (await openStorage(path)).readContext(session)
  expect(revision).toBe(404)
  expect(messages.map(({ info }) => info.id)).toEqual(Array.from({ length: 400 }, (_, index) => messageID(index + 1)))
})

it("refuses the commits of an owner that was stopped until another took its session", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
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

it("tells a watcher of what another process commits", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path, { pollInterval: 10 })
  const abort = new AbortController()
  const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
  const child = startChild("open.ts", [path])
  expect((await changes.next()).value).toEqual({ sessionID: session, revision: 1 })
  abort.abort()
  expect((await child.ended).code).toBe(0)
})

it("lets a process end that only watches, and prints no warning", async () => {
  const child = startChild("watch.ts", [temporaryFile()])
  expect((await child.lines.next()).value).toBe("watching")
  expect(await child.ended).toEqual({ code: 0, signal: null, stderr: "" })
})
