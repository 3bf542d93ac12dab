import { getEventListeners } from "node:events"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { MessageWithParts, SessionID } from "@pawl/core"
import type { MessageQuery, Storage } from "@pawl/core/storage"
import { call, finish, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { failed, got, newerClient, serving, type ServingOptions } from "../test/serving.ts"

const done = [text("Done."), finish("stop")] as const
const summary = ["Objective", "Important details", "Work state", "Next move", "Relevant files"]
  .map((title) => `## ${title}\nSo it is.`)
  .join("\n\n")

async function commanding(options: ServingOptions = {}) {
  const scene = await serving(options)
  const { engine, directory } = scene
  const { id: sessionID } = await engine.createSession({ directory })
  const { v2 } = newerClient(scene)
  const stored = async () => {
    const messages: MessageWithParts[] = []
    for await (const message of engine.readMessages(sessionID)) messages.unshift(message)
    return messages
  }
  const roles = async () => (await stored()).map(({ info }) => info.role)
  return { ...scene, sessionID, v2, stored, roles, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
}

/** A session whose turn holds in a call until `release`. */
async function working(options: ServingOptions = {}) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: holding, resolve: held } = Promise.withResolvers<void>()
  const hold = {
    ...{ name: "hold", description: "", inputSchema: { type: "object" }, effect: "pure" as const },
    parse: (input: unknown) => input,
    async execute() {
      held()
      await released
      return { title: "", output: "" }
    },
  }
  const replies = [[call("hold", {}), finish("tool-calls")], done, done, done]
  const scene = await commanding({ ...options, tools: [hold], replies })
  const { sessionID, engine } = scene
  const run = engine.prompt({ sessionID, parts: [{ type: "text", text: "Hold" }] })
  await holding
  return {
    ...{ ...scene, release, run },
    async [Symbol.asyncDispose]() {
      release()
      await scene[Symbol.asyncDispose]()
    },
  }
}

it("creates a session in the directory", async () => {
  await using scene = await commanding()
  const { v2, directory, engine } = scene
  const { data } = got(await v2.session.create({ location: { directory } }))
  expect(data).toMatchObject({ location: { directory }, cost: 0, title: expect.stringContaining("New session") })
  expect(await engine.getSession(data.id as SessionID)).toMatchObject({ directory, title: data.title })
})

it("refuses a new session with what it could not keep, and stores nothing", async () => {
  await using scene = await serving()
  const { v2 } = newerClient(scene)
  for (const [field, body] of Object.entries({
    id: { id: "ses_mine" },
    agent: { agent: "plan" },
    model: { model: { providerID: "replay", id: "scripted" } },
    workspaceID: { location: { directory: scene.directory, workspaceID: "wrk_1" } },
  })) {
    const message = expect.stringContaining(field) as string
    const refused = [400, expect.objectContaining({ _tag: "InvalidRequestError", kind: "Body", message })]
    expect(await failed(v2.session.create(body))).toEqual(refused)
  }
  const elsewhere = expect.stringContaining("not in /elsewhere") as string
  expect(await failed(v2.session.create({ location: { directory: "/elsewhere" } }))).toEqual([
    400,
    expect.objectContaining({ _tag: "InvalidRequestError", message: elsewhere }),
  ])
  expect(got(await v2.session.list()).data).toEqual([])
})

it("lists a session as active while it works, and waits until it is idle", async () => {
  await using scene = await working()
  const { v2, sessionID, release, stored } = scene
  expect(got(await v2.session.active()).data).toEqual({ [sessionID]: { type: "running" } })
  const waiting = v2.session.wait({ sessionID })
  release()
  expect((await waiting).response?.status).toBe(204)
  expect((await stored()).at(-1)?.info).toMatchObject({ role: "assistant", finish: "stop" })
  expect(got(await v2.session.active()).data).toEqual({})
  // An idle session is not waited for.
  expect((await v2.session.wait({ sessionID })).response?.status).toBe(204)
})

it("waits for the answer to a prompt that came during a compaction", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: holding, resolve: held } = Promise.withResolvers<void>()
  const holds = async () => {
    held()
    await released
  }
  await using scene = await commanding({
    plugins: [{ id: "holds", plugin: () => ({ "session.compacting": holds }) }],
    replies: [done, [text(summary), finish("stop")], done],
  })
  const { v2, engine, sessionID, stored } = scene
  await engine.prompt({ sessionID, parts: [{ type: "text", text: "Begin. ".repeat(2000) }] })
  const compacting = v2.session.compact({ sessionID })
  await holding
  got(await v2.session.prompt({ sessionID, prompt: { text: "And then?" } }))
  const waiting = v2.session.wait({ sessionID })
  release()
  expect((await waiting).response?.status).toBe(204)
  expect(await engine.queue(sessionID)).toEqual([])
  const [prompt, answer] = (await stored()).slice(-2)
  expect(JSON.stringify(prompt?.parts)).toContain("And then?")
  expect(answer?.info).toMatchObject({ role: "assistant", finish: "stop", parentID: prompt?.info.id })
  await compacting
})

it.each(["a limit", "an interruption"])("waits no longer for a queued prompt after %s", async (end) => {
  await using scene = await working(end === "a limit" ? { limits: { steps: 1 } } : {})
  const { v2, engine, sessionID, release, model } = scene
  got(await v2.session.prompt({ sessionID, prompt: { text: "Later" }, delivery: "queue" }))
  const waiting = v2.session.wait({ sessionID })
  const interrupted = end === "a limit" ? undefined : v2.session.interrupt({ sessionID })
  release()
  expect((await waiting).response?.status).toBe(204)
  await interrupted
  expect(await engine.queue(sessionID)).toHaveLength(1)
  expect(model.requests).toHaveLength(1)
})

it("does not wait for a client that has left", async () => {
  await using scene = await working()
  const { app, sessionID } = scene
  const wait = (signal: AbortSignal) => {
    const request = new Request(`http://localhost:4096/api/session/${sessionID}/wait`, { method: "POST", signal })
    return { request, answer: app.fetch(request) }
  }
  expect((await wait(AbortSignal.abort()).answer).status).toBe(204)
  const client = new AbortController()
  const { request, answer } = wait(client.signal)
  client.abort()
  expect((await answer).status).toBe(204)
  const staying = wait(new AbortController().signal)
  scene.release()
  await staying.answer
  expect(getEventListeners(staying.request.signal, "abort")).toEqual([])
  expect(getEventListeners(request.signal, "abort")).toEqual([])
})

it("refuses to wait for a run of another process, and to interrupt it", async () => {
  const holder = { owner: "other", expires: Date.now() + 60_000, isAlive: true, process: { pid: process.pid + 1 } }
  await using scene = await commanding({ host: { leaseHolder: async () => holder as never } })
  const { v2, sessionID } = scene
  expect(await failed(v2.session.wait({ sessionID }))).toEqual([
    503,
    expect.objectContaining({ _tag: "ServiceUnavailableError", message: expect.stringContaining("Another process") }),
  ])
  expect(await failed(v2.session.interrupt({ sessionID }))).toEqual([
    409,
    expect.objectContaining({ _tag: "SessionBusyError", sessionID }),
  ])
})

it("ends a run", async () => {
  await using scene = await working()
  const { v2, sessionID, run, release } = scene
  const interrupted = v2.session.interrupt({ sessionID })
  release()
  expect((await interrupted).response?.status).toBe(204)
  expect((await run).type).toBe("aborted")
})

it("compacts a session, and tells why it did not", async () => {
  await using scene = await commanding({
    replies: Array.from({ length: 12 }, () => [text(summary), finish("stop")] as const),
  })
  const { v2, client, engine, sessionID, stored } = scene
  expect(await failed(v2.session.compact({ sessionID }))).toEqual([
    400,
    expect.objectContaining({ _tag: "InvalidRequestError", message: expect.stringContaining("nothing to compact") }),
  ])
  await engine.prompt({ sessionID, parts: [{ type: "text", text: "Hi" }] })
  const reason = expect.stringContaining("Nothing was compacted") as string
  expect(await failed(v2.session.compact({ sessionID }))).toEqual([
    503,
    expect.objectContaining({ _tag: "ServiceUnavailableError", message: reason }),
  ])
  expect(await failed(client.session.summarize({ path: { id: sessionID } }))).toEqual([
    500,
    { name: "UnknownError", data: { message: reason } },
  ])
  await engine.prompt({ sessionID, parts: [{ type: "text", text: "Begin. ".repeat(2000) }] })
  expect((await v2.session.compact({ sessionID })).response?.status).toBe(204)
  expect((await stored()).at(-1)?.info).toMatchObject({ role: "assistant", summary: true })
})

it("refuses to undo while the session works", async () => {
  await using scene = await working()
  const { v2, sessionID, stored } = scene
  const [prompt] = await stored()
  const [status, error] = await failed(v2.session.revert.stage({ sessionID, messageID: prompt?.info.id ?? "" }))
  expect([status, error]).toEqual([409, expect.objectContaining({ _tag: "SessionBusyError", sessionID })])
  expect(error).toMatchObject({
    message: `Session ${sessionID} is at work. Wait until its turn has ended, or abort it.`,
  })
})

it("answers a prompt when it is stored, before its turn has ended", async () => {
  await using scene = await working()
  const { v2, engine, sessionID, stored, release, run, model } = scene
  const { data } = got(
    await v2.session.prompt({ sessionID, prompt: { text: "And this", agents: [{ name: "explore" }] } }),
  )
  expect(data).toEqual({
    id: expect.stringMatching(/^msg_/),
    sessionID,
    prompt: { text: "And this", agents: [{ name: "explore" }] },
    delivery: "steer",
    admittedSeq: data.timeCreated,
    timeCreated: expect.any(Number),
  })
  expect((await engine.queue(sessionID)).map(({ info }) => info.id)).toEqual([data.id])
  release()
  await run
  expect(JSON.stringify(model.requests[1])).toContain("And this")
  expect((await stored()).at(-1)?.info).toMatchObject({ role: "assistant", finish: "stop" })
})

it("queues a prompt behind the turn", async () => {
  await using scene = await working()
  const { v2, sessionID, release, model } = scene
  const { data } = got(await v2.session.prompt({ sessionID, prompt: { text: "Later" }, delivery: "queue" }))
  expect(data.delivery).toBe("queue")
  const idle = v2.session.wait({ sessionID })
  release()
  await idle
  expect(JSON.stringify(model.requests[1])).not.toContain("Later")
  expect(JSON.stringify(model.requests[2])).toContain("Later")
})

it("begins a turn with a prompt for an idle session, and none with resume: false", async () => {
  await using scene = await commanding()
  const { v2, sessionID, model, roles } = scene
  got(await v2.session.prompt({ sessionID, prompt: { text: "Know this" }, resume: false }))
  expect([await roles(), model.requests.length]).toEqual([["user"], 0])
  got(await v2.session.prompt({ sessionID, prompt: { text: "Hi" } }))
  await v2.session.wait({ sessionID })
  expect(await roles()).toEqual(["user", "user", "assistant"])
  expect(JSON.stringify(model.requests[0])).toContain("Know this")
})

it("stores a prompt with a repeated id once, and answers with what is stored", async () => {
  await using scene = await commanding()
  const { v2, sessionID, stored } = scene
  const id = "msg_0000000000000000000000000A"
  const send = (words: string) => v2.session.prompt({ sessionID, id, prompt: { text: words } })
  const first = got(await send("One"))
  await v2.session.wait({ sessionID })
  expect(got(await send("Two"))).toEqual(first)
  await v2.session.wait({ sessionID })
  expect((await stored()).filter(({ info }) => info.role === "user")).toHaveLength(1)
})

it("searches for a repeated prompt without the parts of answers", async () => {
  const storage = memoryStorage()
  const queries: (MessageQuery | undefined)[] = []
  const counting = Object.assign(Object.create(storage) as Storage, {
    readMessages(id: SessionID, query?: MessageQuery) {
      queries.push(query)
      return storage.readMessages(id, query)
    },
  })
  await using scene = await commanding({ storage: counting })
  const { v2, engine, sessionID } = scene
  await engine.prompt({ sessionID, parts: [{ type: "text", text: "Hi" }] })
  queries.length = 0
  got(await v2.session.prompt({ sessionID, id: "msg_0000000000000000000000000A", prompt: { text: "Hi" } }))
  const searches = queries.filter((query) => query?.limit === 1000)
  expect(searches.length).toBeGreaterThan(1)
  expect(searches.filter((query) => query?.assistantParts !== false)).toEqual([])
  await v2.session.wait({ sessionID })
})

it("answers a repeated prompt before the turn has ended", async () => {
  await using scene = await working()
  const { v2, engine, sessionID } = scene
  const send = () => v2.session.prompt({ sessionID, id: "msg_0000000000000000000000000A", prompt: { text: "Also" } })
  const first = got(await send())
  expect(got(await send())).toEqual(first)
  expect(await engine.queue(sessionID)).toHaveLength(1)
})

it("attaches texts and images by their URI", async () => {
  await using scene = await commanding()
  const { v2, sessionID, directory, model } = scene
  await writeFile(join(directory, "dot.png"), Buffer.from([137, 80, 78, 71]))
  await writeFile(join(directory, "dot.bin"), Buffer.from([1, 0, 2]))
  const uri = (name: string) => pathToFileURL(join(directory, name)).href
  const send = (...files: { uri: string; name?: string }[]) =>
    v2.session.prompt({ sessionID, prompt: { text: "See", files } })
  const { data } = got(await send({ uri: uri("read.me"), name: "read.me" }, { uri: uri("dot.png") }))
  expect(data.prompt.files).toMatchObject([
    { name: "read.me", mime: "text/plain" },
    { name: "dot.png", mime: "image/png" },
  ])
  await v2.session.wait({ sessionID })
  expect(JSON.stringify(model.requests[0])).toContain("one\\ntwo")
  for (const [refused, reason] of [
    [uri("dot.bin"), "neither a text"],
    ["https://example.com/a.png", "cannot be attached"],
    ["file:///dev/zero", "not a regular file"],
  ] as const) {
    const [status, error] = await failed(send({ uri: refused }))
    expect([refused, status, JSON.stringify(error)]).toEqual([refused, 400, expect.stringContaining(reason)])
  }
})

it("refuses empty and wrong prompts, and unknown sessions", async () => {
  await using scene = await commanding()
  const { v2, sessionID, roles } = scene
  const invalid = [400, expect.objectContaining({ _tag: "InvalidRequestError", kind: "Body" })]
  expect(await failed(v2.session.prompt({ sessionID, prompt: { text: "" } }))).toEqual(invalid)
  expect(await failed(v2.session.prompt({ sessionID, id: "mine", prompt: { text: "Hi" } }))).toEqual(invalid)
  expect(await failed(v2.session.prompt({ sessionID, prompt: "Hi" as never }))).toEqual(invalid)
  const agents = [{ name: "nobody" }]
  expect(await failed(v2.session.prompt({ sessionID, prompt: { text: "Hi", agents } }))).toEqual(invalid)
  expect(await roles()).toEqual([])
  const unknown = [404, expect.objectContaining({ _tag: "SessionNotFoundError", sessionID: "ses_unknown" })]
  const nowhere = { sessionID: "ses_unknown" }
  expect(await failed(v2.session.prompt({ ...nowhere, prompt: { text: "Hi" } }))).toEqual(unknown)
  expect(await failed(v2.session.wait(nowhere))).toEqual(unknown)
  expect(await failed(v2.session.interrupt(nowhere))).toEqual(unknown)
  expect(await failed(v2.session.compact(nowhere))).toEqual(unknown)
})
