import { setTimeout as sleep } from "node:timers/promises"
import type { Lease, MaintainedStorage } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sessionID } from "../samples.ts"
import { putSession } from "../writes.ts"
import type { TestLocation } from "./test-location.ts"

const session = sessionID(1)
const PROCESSES = 4
const COMMITS = 25

/** Specs, by name, for a storage that several processes open. A process may be killed or stopped. */
export const processSpecs: Readonly<Record<string, (place: TestLocation) => Promise<void>>> = {
  "takes the commits of processes that make the location together": async ({ open, start }) => {
    const children = Array.from({ length: PROCESSES }, (_, index) => start("commit-many", index * COMMITS + 1, COMMITS))
    const ends = await Promise.all(children.map(({ ended }) => ended))
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: "" })))

    const { messages, revision } = await (await open()).readContext(session)
    expect(messages.map(({ info }) => info.id)).toEqual(numbers(PROCESSES * COMMITS).map(messageID))
    expect(revision).toBe(PROCESSES * (COMMITS + 1))
  },

  "keeps every acknowledged commit of a killed writer, and none by half": async ({ open, start }) => {
    const acknowledged = await killedWriter(start)
    const storage = await open()
    const { revision, messages, damaged } = await storage.readContext(session)
    expect(revision).toBeGreaterThanOrEqual(acknowledged)
    expect(damaged).toBeUndefined()
    // Revision 1 created the session; each later one added a message with its part.
    expect(messages.map(({ info, parts }) => [info.id, parts.map(({ id }) => id)])).toEqual(
      numbers(revision - 1).map((number) => [messageID(number), [partID(number)]]),
    )
    expect(await storage.commit(session, [])).toBe(revision + 1)
  },

  "gives the session of a killed owner to the next at once": async ({ open, start }) => {
    await killedWriter(start)
    const lease = await (await open()).acquire(session, "own_next", 60_000)
    expect(lease?.token.epoch).toBe(2)
  },

  "keeps the session for an owner that is stopped but lives": async ({ open, start }) => {
    const storage = await open()
    await storage.commit(session, [putSession(sampleSession(session))])
    const child = start("hold-lease")
    expect((await child.lines.next()).value).toBe(String(child.process.pid))
    expect(await storage.acquire(session, "own_next", 60_000)).toBeUndefined()
    expect(await storage.leaseHolder?.(session)).toMatchObject({ epoch: 1 })

    child.process.kill("SIGKILL")
    await child.ended
    expect(await storage.leaseHolder?.(session)).toBeUndefined()
    expect((await storage.acquire(session, "own_next", 60_000))?.token.epoch).toBe(2)
  },

  "refuses the commits of an owner that was stopped until another took its session": async ({ open, start }) => {
    const storage = await open()
    await storage.commit(session, [putSession(sampleSession(session))])
    const child = start("commit-under-lease")
    expect((await child.lines.next()).value).toBe("acquired")
    const { token } = await acquired(storage)
    await storage.commit(session, [{ type: "session.patch", changes: { title: "taken over" } }], token)
    child.process.kill("SIGCONT")

    expect((await child.lines.next()).value).toBe("StaleLeaseError")
    expect(await child.ended).toEqual({ code: 0, signal: null, stderr: "" })
    expect((await storage.getSession(session))?.title).toBe("taken over")
  },

  "tells a watcher of what another process commits": async ({ open, start }) => {
    const storage = await open()
    const changes = storage.watch({}, AbortSignal.timeout(100_000))[Symbol.asyncIterator]()
    const child = start("commit-many", 1, 20)
    let revision: number | undefined = 0
    while (revision !== undefined && revision < 21) revision = (await changes.next()).value?.revision
    expect(revision).toBe(21)
    expect((await child.ended).stderr).toBe("")
  },
}

/** Starts a process that commits, and kills it. Returns the last revision that it reported. */
async function killedWriter(start: TestLocation["start"]): Promise<number> {
  const child = start("commit-forever")
  let acknowledged = 0
  const read = async () => {
    const { value, done } = await child.lines.next()
    if (!done) acknowledged = Number(value)
    return !done
  }
  await read()
  await sleep(Math.random() * 60)
  child.process.kill("SIGKILL")
  while (await read());
  expect(await child.ended).toEqual({ code: null, signal: "SIGKILL", stderr: "" })
  expect(acknowledged).toBeGreaterThan(1)
  return acknowledged
}

async function acquired(storage: MaintainedStorage): Promise<Lease> {
  for (;;) {
    const lease = await storage.acquire(session, "own_next", 60_000)
    if (lease) return lease
    await sleep(20)
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
