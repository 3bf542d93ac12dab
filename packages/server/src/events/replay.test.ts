import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Engine, SessionID } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { expect, it, onTestFinished } from "vitest"
import { createAssembly, sorted } from "../../test/assembled.ts"
import { following, type Seen } from "../../test/following.ts"
import { serving } from "../../test/serving.ts"
import { createServer, openCodeMessageWithParts } from "../index.ts"
import { createEventLog } from "./event-log.ts"
import { eventStream } from "./event-stream.ts"
import { openPositions } from "./positions.ts"
import { createReplay, type Replayed } from "./replay.ts"

async function temporary(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-replay-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** A server with an engine of its own over the storage of `root`, as each process has it. */
async function starting(root: string) {
  const storage = await sqliteStorage({ path: join(root, "pawl.db") })
  const scene = await serving({ storage })
  const server = createServer({
    directory: scene.directory,
    version: "1.0.0",
    positionsDirectory: join(root, "positions"),
    open: async () => ({ host: scene.host, storage, close: async () => undefined }),
  })
  onTestFinished(async () => {
    await server.close()
    await scene[Symbol.asyncDispose]()
  })
  // Opens the directory, whose engine works without requests here.
  await server.fetch(new Request("http://127.0.0.1/path"))
  const follow = async (after?: string) => {
    const query = after === undefined ? "" : `?after=${after}`
    return following(await server.fetch(new Request(`http://127.0.0.1/global/event${query}`)))
  }
  return { ...scene, storage, server, follow }
}

const payloads = (seen: readonly Seen[]) =>
  seen.map((each) => ({ ...each, ...(each as unknown as { payload: Omit<Seen, "id"> }).payload }))

async function ask(engine: Engine, sessionID: SessionID, words: string): Promise<void> {
  await engine.prompt({ sessionID, parts: [{ type: "text", text: words }] })
}

/** What a client has put together, and what the storage has of the same messages. */
async function compared(storage: Storage, sessionID: SessionID, seen: readonly Seen[]) {
  const assembly = createAssembly()
  for (const event of payloads(seen)) assembly.apply(event)
  const stored = createAssembly()
  for await (const message of storage.readMessages(sessionID)) {
    const { info, parts } = openCodeMessageWithParts(message)
    stored.apply({ type: "message.updated", properties: { info } })
    for (const part of parts) stored.apply({ type: "message.part.updated", properties: { part } })
  }
  return { assembled: sorted(assembly), stored: sorted(stored) }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5)
}

const lastID = (seen: readonly Seen[]) => seen.findLast(({ id }) => id !== "")?.id ?? ""

it("brings a client of a dead server to the present, with what other processes did meanwhile", async () => {
  const root = await temporary()
  const first = await starting(root)
  const { id } = await first.engine.createSession({ directory: first.directory })
  const client = await first.follow()
  await ask(first.engine, id, "one")
  await until(() => payloads(client.seen).some(({ type }) => type === "session.idle"))
  await client.cancel()
  // These events are seen by no client before the server ends.
  await ask(first.engine, id, "two")
  await first.server.close()
  // Another process works while no server runs.
  await ask(first.engine, id, "three")

  const second = await starting(root)
  const again = await second.follow(lastID(client.seen))
  await until(() => payloads(again.seen).some(({ type }) => type === "server.heartbeat"))

  const missed = payloads(again.seen)
  expect(missed.map(({ type }) => type)).not.toContain("server.resync")
  const puts = missed.flatMap(({ type, properties }) =>
    type === "message.updated" ? [(properties["info"] as { id: string }).id] : [],
  )
  expect(puts).toHaveLength(4)
  expect(new Set(puts).size).toBe(4)
  const { assembled, stored } = await compared(second.storage, id, [...client.seen, ...again.seen])
  expect(assembled).toEqual(stored)
  // Its server may have died at work, so it is told how things are.
  const statuses = missed.filter(({ type }) => type === "session.status").map(({ properties }) => properties)
  expect(statuses).toEqual([{ sessionID: id, status: { type: "idle" } }])
  expect(missed.map(({ type }) => type)).toContain("session.idle")
  // The next time it comes back, it has missed nothing.
  const third = await second.follow(lastID(again.seen))
  await until(() => third.seen.length > 0)
  await delay(50)
  expect(payloads(third.seen).map(({ type }) => type)).toEqual(["server.connected"])
})

it("shows what another process does while it works", async () => {
  const root = await temporary()
  const serverSide = await starting(root)
  const client = await serverSide.follow()
  const other = await starting(root)
  const { id } = await other.engine.createSession({ directory: other.directory, title: "Elsewhere" })
  await ask(other.engine, id, "one")
  await until(() =>
    payloads(client.seen).some(({ properties }) => {
      const info = properties["info"] as { role?: string; time?: { completed?: number } } | undefined
      return info?.role === "assistant" && info.time?.completed !== undefined
    }),
  )
  const { assembled, stored } = await compared(serverSide.storage, id, client.seen)
  expect(assembled).toEqual(stored)
  expect(client.seen.some((each) => (each as unknown as { directory?: string }).directory === other.directory)).toBe(
    true,
  )
})

it("reports its own commits once, although the storage announces them as well", async () => {
  const root = await temporary()
  const { engine, directory, follow } = await starting(root)
  const client = await follow()
  const { id } = await engine.createSession({ directory })
  for (let n = 0; n < 5; n++) await ask(engine, id, `prompt ${n}`)
  await delay(400)
  const completed = payloads(client.seen).filter(({ type, properties }) => {
    const info = properties["info"] as { role?: string; time?: { completed?: number } } | undefined
    return type === "message.updated" && info?.role === "assistant" && info.time?.completed !== undefined
  })
  expect(new Set(completed.map(({ properties }) => (properties["info"] as { id: string }).id)).size).toBe(5)
  const texts = completed.map(({ properties }) => JSON.stringify(properties))
  expect(new Set(texts).size).toBe(texts.length)
})

it("replaces deltas that are gone by the text so far, and repeats none", async () => {
  const log = createEventLog()
  const reading = Promise.withResolvers<Replayed>()
  const part = { id: "prt_1", messageID: "msg_1", sessionID: "ses_1", type: "text", time: { start: 1 } }
  const update = (given: object) => ({ id: "evt", type: "message.part.updated", properties: { part: given } })
  const delta = (words: string) => ({
    id: "evt",
    type: "message.part.delta",
    properties: { messageID: "msg_1", partID: "prt_1", field: "text", delta: words },
  })
  log.append("/a", update({ ...part, text: "" }))
  log.append("/a", delta("one "))
  const stream = following(
    new Response(eventStream(log, { after: "aaaaaaaaaaaa.1", replay: () => reading.promise, directory: "/a" })),
  )
  await until(() => stream.seen.length > 0)
  log.append("/a", delta("two "))
  const message = { id: "evt", type: "message.updated", properties: { info: { id: "msg_1" } } }
  const stored = update({ ...part, text: "on" })
  reading.resolve({
    events: [
      { directory: "/a", event: message },
      { directory: "/a", event: stored },
      { directory: "/b", event: message },
    ],
    reached: new Map([["ses_1", { reported: 3, ahead: new Set<number>(), torn: undefined }]]),
  })
  await until(() => stream.types().includes("server.heartbeat"))
  log.append("/a", delta("three"))
  await until(() => stream.types().includes("message.part.delta"))
  expect(stream.types()).toEqual([
    ...["server.connected", "message.updated", "message.part.updated", "server.heartbeat", "message.part.delta"],
  ])
  const assembly = createAssembly()
  for (const event of stream.seen) assembly.apply(event)
  expect(assembly.parts.get("prt_1")?.text).toBe("one two three")
  await stream.cancel()
})

it("sends no more than a reader takes, however much it has missed", async () => {
  const log = createEventLog()
  const start = log.position
  for (let n = 0; n < 3000; n++) {
    log.append("/a", { id: `evt_${n}`, type: "test", properties: { n, text: "x".repeat(1000) } })
  }
  let isCut = false
  const stream = eventStream(log, { after: start, onOverflow: () => (isCut = true) })
  await delay(20)
  const { seen, cancel } = following(new Response(stream))
  await until(() => seen.length === 3001)
  expect(isCut).toBe(false)
  expect(seen.slice(1).map(({ properties }) => properties["n"])).toEqual(Array.from({ length: 3000 }, (_, n) => n))
  await cancel()
})

it("tells a client that came back after a session was removed to read all again, and only once", async () => {
  const root = await temporary()
  const first = await starting(root)
  const { id } = await first.engine.createSession({ directory: first.directory })
  const client = await first.follow()
  await ask(first.engine, id, "one")
  await until(() => payloads(client.seen).some(({ type }) => type === "session.idle"))
  await client.cancel()
  await first.server.close()
  await first.engine.removeSession(id)
  let position = ""
  for (const expected of [true, false]) {
    const server = await starting(root)
    const again = await server.follow(expected ? lastID(client.seen) : position)
    await until(() => payloads(again.seen).some(({ type }) => type === "server.heartbeat"))
    expect(payloads(again.seen).some(({ type }) => type === "server.resync")).toBe(expected)
    position = lastID(again.seen)
    await again.cancel()
    await server.server.close()
  }
})

it("does not take long for thousands of sessions that a client has missed", async () => {
  const sessions = Array.from({ length: 5000 }, (_, n): SessionID => `ses_${String(n).padStart(26, "0")}`)
  const storage = {
    listSessions: () => sessions.map((id) => ({ id, directory: "/a", time: { created: 0, updated: 0 } })),
    readChanges: async (id: SessionID) => [
      { type: "session.put", revision: 2, session: { id, directory: "/a", time: {} } },
    ],
  }
  const revisions = new Map(sessions.map((id) => [id, 1]))
  const replay = createReplay({
    positions: { at: async () => ({ revisions, torn: new Map(), until: 1 }) },
    reach: () => ({ reported: 2, ahead: new Set() }),
    isWorking: () => false,
    storages: async () => [storage as never],
  })
  const replayed = await replay("aaaaaaaaaaaa.1")
  expect(replayed?.events.filter(({ event }) => event.type === "session.updated")).toHaveLength(5000)
  // Formatting all positions takes 5,000 times 5,000 steps.
  expect(replayed?.events.filter(({ position }) => position !== undefined).length).toBeLessThan(200)
})

it("knows nothing of a position whose record is missing, damaged or was full", async () => {
  const root = await temporary()
  const positions = openPositions(root, "aaaaaaaaaaaa", 10_000)
  positions.record(5, "ses_1", 3)
  positions.record(9, "ses_2", 7)
  expect([...((await positions.at("aaaaaaaaaaaa", 5))?.revisions ?? [])]).toEqual([
    ["ses_1", 3],
    ["ses_2", 6],
  ])
  expect([...((await positions.at("aaaaaaaaaaaa", 9))?.revisions ?? [])]).toEqual([
    ["ses_1", 3],
    ["ses_2", 7],
  ])
  positions.record(14, "ses_1", 4, [
    [11, "msg_1"],
    [12, "prt_1"],
    [14, "prt_1"],
  ])
  expect([...((await positions.at("aaaaaaaaaaaa", 10))?.torn ?? [])]).toEqual([])
  const torn = (await positions.at("aaaaaaaaaaaa", 13))?.torn.get("ses_1")
  expect(torn).toEqual({ revision: 4, records: new Set(["msg_1"]) })
  for (const epoch of ["bbbbbbbbbbbb", "", "../aaaaaaaaaaaa", "aaaaaaaaaaaa/.."]) {
    expect(await positions.at(epoch, 5)).toBeUndefined()
  }
  for (let n = 10; n < 1000; n++) positions.record(n, "ses_01J00000000000000000000000", n)
  expect(await positions.at("aaaaaaaaaaaa", 5)).toBeUndefined()
  positions.close()
})

it("knows which records of a commit a client has seen that was reported before earlier ones", async () => {
  const root = await temporary()
  const positions = openPositions(root, "aaaaaaaaaaaa")
  const seen = async (number: number) => {
    const known = await positions.at("aaaaaaaaaaaa", number)
    return [known?.revisions.get("ses_1"), known?.torn.get("ses_1")]
  }
  positions.record(5, "ses_1", 3)
  positions.recordAhead(8, "ses_1", 6, [
    [7, "msg_1"],
    [8, "prt_1"],
  ])
  expect(await seen(6)).toEqual([3, undefined])
  expect(await seen(7)).toEqual([3, { revision: 6, records: new Set(["msg_1"]) }])
  expect(await seen(8)).toEqual([3, { revision: 6, records: new Set(["msg_1", "prt_1"]) }])
  // One of them is written again, after another record.
  positions.recordAhead(10, "ses_1", 7, [
    [9, "prt_2"],
    [10, "prt_1"],
  ])
  expect(await seen(8)).toEqual([3, { revision: 6, records: new Set(["msg_1", "prt_1"]) }])
  expect(await seen(9)).toEqual([3, { revision: 7, records: new Set(["msg_1", "prt_2"]) }])
  positions.record(12, "ses_1", 7)
  expect(await seen(12)).toEqual([7, undefined])
  positions.close()
})

it("takes what a client has seen from an earlier server as seen, although this one has still to report it", async () => {
  const id = "ses_1" as SessionID
  const replay = createReplay({
    positions: { at: async () => ({ revisions: new Map([[id, 3]]), torn: new Map(), until: 1 }) },
    reach: () => ({ reported: 3, ahead: new Set() }),
    isWorking: () => false,
    storages: async () => [
      {
        listSessions: () => [{ id, directory: "/a", time: { created: 0, updated: 2 } }],
        readChanges: async () => [],
      } as never,
    ],
  })
  const log = createEventLog()
  const stream = following(new Response(eventStream(log, { after: "aaaaaaaaaaaa.1+ses_1:5:6:msg_1", replay })))
  await until(() => stream.types().includes("server.heartbeat"))
  const report = (message: string, revision: number) => {
    const event = { id: "evt", type: "message.updated", properties: { sessionID: id, info: { id: message } } }
    log.append("/a", event, { sessionID: id, revision })
  }
  report("msg_0", 5)
  report("msg_1", 6)
  report("msg_2", 6)
  report("msg_1", 7)
  await until(() => stream.seen.filter(({ type }) => type === "message.updated").length === 2)
  const updates = stream.seen.filter(({ type }) => type === "message.updated")
  expect(updates.map(({ properties }) => properties["info"])).toEqual([{ id: "msg_2" }, { id: "msg_1" }])
  await stream.cancel()
})

it("gives events no position that is older than what the storage has told the client", async () => {
  const log = createEventLog()
  const reading = Promise.withResolvers<Replayed | undefined>()
  const stream = following(new Response(eventStream(log, { after: "aaaaaaaaaaaa.1", replay: () => reading.promise })))
  await until(() => stream.seen.length > 0)
  const status = { id: "evt", type: "session.status", properties: { sessionID: "ses_1" } }
  log.append("/a", status)
  const message = { id: "evt", type: "message.updated", properties: { sessionID: "ses_1", info: { id: "msg_1" } } }
  log.append("/a", message, { sessionID: "ses_1", revision: 2 })
  log.append("/a", status)
  reading.resolve({
    events: [{ directory: "/a", event: message, position: "aaaaaaaaaaaa.1+ses_1:2" }],
    reached: new Map([["ses_1", { reported: 2, ahead: new Set<number>(), torn: undefined }]]),
  })
  await until(() => stream.types().includes("server.heartbeat"))
  expect(stream.types()).toEqual([
    ...["server.connected", "message.updated", "session.status", "session.status", "server.heartbeat"],
  ])
  expect(stream.seen.map(({ id }) => id.split(".").at(-1))).toEqual(["", "1+ses_1:2", "", "3", "3"])
  await stream.cancel()
})
