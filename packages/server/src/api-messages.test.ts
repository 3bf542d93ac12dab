import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { call, finish, reasoning, text } from "@pawl/provider-replay"
import { builtinTools } from "@pawl/tools"
import { createFileHistory } from "@pawl/undo"
import { expect, it, onTestFinished } from "vitest"
import { failed, got, newerClient, serving, type ServingOptions } from "../test/serving.ts"

const done = [text("Done."), finish("stop")] as const
const summary = ["Objective", "Important details", "Work state", "Next move", "Relevant files"]
  .map((title) => `## ${title}\nSo it is.`)
  .join("\n\n")

async function reading(options: ServingOptions = {}) {
  const scene = await serving(options)
  const { engine, directory } = scene
  const { id: sessionID } = await engine.createSession({ directory, title: "Reading" })
  const { v2 } = newerClient(scene)
  const ask = (...words: readonly string[]) =>
    words.reduce<Promise<unknown>>(
      (before, each) => before.then(() => engine.prompt({ sessionID, parts: [{ type: "text", text: each }] })),
      Promise.resolve(),
    )
  return { ...scene, sessionID, v2, ask, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
}

it("shows a prompt, and an answer with its texts, calls and usage", async () => {
  const look = {
    ...{ name: "look", description: "", inputSchema: { type: "object" }, effect: "pure" as const },
    parse: (input: unknown) => input,
    async execute(input: unknown) {
      if ((input as { fails?: boolean }).fails) throw new Error("It is not there.")
      return { title: "", output: "seen", metadata: { lines: 2 } }
    },
  }
  const calls = [reasoning("Hm."), call("look", { at: 1 }), call("look", { fails: true }), finish("tool-calls")]
  await using scene = await reading({ tools: [look], replies: [calls, done] })
  const { v2, engine, sessionID } = scene
  const parts = [
    { type: "text" as const, text: "See" },
    { type: "text" as const, text: "Written by a program.", synthetic: true },
    { type: "agent" as const, name: "explore", source: { value: "@explore", start: 0, end: 8 } },
  ]
  await engine.prompt({ sessionID, parts })
  const { data } = got(await v2.session.messages({ sessionID, order: "asc" }))
  const time = { created: expect.any(Number) }
  expect(data[0]).toEqual({
    ...{ id: expect.stringMatching(/^msg_/), type: "user", time, text: "See" },
    agents: [{ name: "explore", source: { start: 0, end: 8, text: "@explore" } }],
  })
  const ran = { ...time, ran: expect.any(Number), completed: expect.any(Number) }
  const tool = { type: "tool", id: expect.any(String), name: "look", time: ran }
  expect(data[1]).toEqual({
    ...{ id: expect.stringMatching(/^msg_/), type: "assistant", agent: "build", finish: "tool-calls", cost: 0 },
    model: { id: "scripted", providerID: "replay" },
    time: { ...time, completed: expect.any(Number) },
    tokens: { input: expect.any(Number), output: 8, reasoning: 1, cache: { read: 0, write: 0 } },
    content: [
      { type: "reasoning", id: expect.any(String), text: "Hm.", time: expect.anything() },
      {
        ...tool,
        state: {
          status: "completed",
          input: { at: 1 },
          structured: { lines: 2 },
          content: [{ type: "text", text: "seen" }],
        },
      },
      {
        ...tool,
        state: {
          ...{ status: "error", input: { fails: true }, structured: {}, content: [] },
          error: { type: "unknown", message: expect.stringContaining("It is not there.") },
        },
      },
    ],
  })
  expect(data[2]).toMatchObject({ type: "assistant", content: [{ type: "text", text: "Done." }] })
  const messageID = data[0]?.id ?? ""
  expect(got(await v2.session.message({ sessionID, messageID })).data).toEqual(data[0])
})

it("pages in both directions, and has no cursor at an end", async () => {
  await using scene = await reading()
  const { v2, sessionID, ask } = scene
  await ask("A", "B", "C")
  const all = got(await v2.session.messages({ sessionID })).data.map(({ id }) => id)
  expect(all).toEqual([...all].toSorted().toReversed())
  expect(all).toHaveLength(6)
  const page = async (query: { limit: number; order?: "asc" | "desc"; cursor?: string | undefined }) => {
    const { cursor = "", ...rest } = query
    const answer = got(await v2.session.messages({ sessionID, ...rest, ...(cursor === "" ? {} : { cursor }) }))
    return { at: answer.data.map(({ id }) => all.indexOf(id)), ...answer.cursor }
  }
  const first = await page({ limit: 4 })
  expect(first).toEqual({ at: [0, 1, 2, 3], next: expect.any(String) })
  const second = await page({ limit: 4, cursor: first.next })
  expect(second).toEqual({ at: [4, 5], previous: expect.any(String) })
  expect(await page({ limit: 3, cursor: second.previous })).toMatchObject({ at: [1, 2, 3], next: expect.any(String) })
  expect(await page({ limit: 4, cursor: second.previous })).toEqual({ at: [0, 1, 2, 3], next: expect.any(String) })
  const oldest = await page({ limit: 5, order: "asc" })
  expect(oldest).toEqual({ at: [5, 4, 3, 2, 1], next: expect.any(String) })
  const newest = await page({ limit: 5, cursor: oldest.next })
  expect(newest).toEqual({ at: [0], previous: expect.any(String) })
  expect((await page({ limit: 2, cursor: newest.previous })).at).toEqual([2, 1])
  expect(await page({ limit: 6 })).toEqual({ at: [0, 1, 2, 3, 4, 5] })
})

it("shows a compaction by its summary, and the context from there on", async () => {
  const replies = Array.from({ length: 6 }, () => [text(summary), finish("stop")] as const)
  await using scene = await reading({ replies })
  const { v2, engine, sessionID, ask } = scene
  const words = ["One", "Two", "Three"].map((each) => `${each} ${"More of it. ".repeat(200)}`)
  await ask(...words)
  const context = async () => got(await v2.session.context({ sessionID })).data
  expect((await context()).map(({ type }) => type)).toEqual(
    Array.from({ length: 3 }, () => ["user", "assistant"]).flat(),
  )
  await engine.compact(sessionID)
  const [compaction, ...others] = got(await v2.session.messages({ sessionID })).data
  expect(compaction).toEqual({
    ...{
      id: expect.stringMatching(/^msg_/),
      type: "compaction",
      reason: "manual",
      time: { created: expect.any(Number) },
    },
    ...{ summary: expect.stringContaining("## Objective"), recent: "" },
  })
  // The message that asked for it has nothing to show.
  expect(others.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => ["assistant", "user"]).flat())
  const after = await context()
  expect(after[0]).toEqual(compaction)
  // The engine's own text about what it kept follows, and the prompts are gone.
  expect(after[1]).toMatchObject({ type: "synthetic", sessionID, text: expect.stringContaining("summary above") })
  expect(after.filter(({ type }) => type === "user")).toEqual([])
})

it("leaves what is undone out of the context, and takes undos back", async () => {
  await using scene = await reading()
  const { v2, engine, sessionID, ask } = scene
  await ask("A", "B")
  const [, second] = got(await v2.session.messages({ sessionID })).data
  const messageID = second?.id ?? ""
  expect(got(await v2.session.revert.stage({ sessionID, messageID })).data).toEqual({ messageID })
  expect((await engine.getSession(sessionID)).revert).toEqual({ messageID })
  const texts = async () => JSON.stringify(got(await v2.session.context({ sessionID })).data.map((each) => each.type))
  expect(await texts()).toBe('["user","assistant"]')
  expect((await v2.session.revert.clear({ sessionID })).response?.status).toBe(204)
  expect((await engine.getSession(sessionID)).revert).toBeUndefined()
  expect(await texts()).toBe('["user","assistant","user","assistant"]')
  // Nothing is undone any more.
  expect((await v2.session.revert.clear({ sessionID })).response?.status).toBe(204)
  expect((await v2.session.revert.commit({ sessionID })).response?.status).toBe(404)
})

it("leaves undone parts of a message out of the context", async () => {
  const look = {
    ...{ name: "look", description: "", inputSchema: { type: "object" }, effect: "pure" as const },
    parse: (input: unknown) => input,
    execute: async () => ({ title: "", output: "seen" }),
  }
  const replies = [[text("I look."), call("look", {}), finish("tool-calls")], done]
  await using scene = await reading({ tools: [look], replies })
  const { v2, engine, sessionID, ask } = scene
  await ask("Look")
  for await (const { parts } of engine.readMessages(sessionID)) {
    const tool = parts.find(({ type }) => type === "tool")
    if (tool) await engine.revert({ sessionID, messageID: tool.messageID, partID: tool.id })
  }
  const { data } = got(await v2.session.context({ sessionID }))
  expect(data).toMatchObject([{ type: "user" }, { type: "assistant", content: [{ type: "text", text: "I look." }] }])
})

it("undoes changes of files only if that is asked for", async () => {
  const spool = await mkdtemp(join(tmpdir(), "pawl-newer-"))
  onTestFinished(() => rm(spool, { recursive: true, force: true }))
  await using scene = await reading({
    tools: [...builtinTools()],
    replies: [[call("write", { filePath: "new.txt", content: "new" }), finish("tool-calls")], done],
    permission: [{ name: "test", rules: [{ permission: "*", pattern: "*", action: "allow" }] }],
    fileHistory: createFileHistory({ directory: spool, environment: process.env }),
  })
  const { v2, sessionID, ask, directory } = scene
  await ask("Write it")
  const isThere = () => existsSync(join(directory, "new.txt"))
  const { data } = got(await v2.session.messages({ sessionID, order: "asc" }))
  const messageID = data[0]?.id ?? ""
  got(await v2.session.revert.stage({ sessionID, messageID }))
  expect(isThere()).toBe(true)
  await v2.session.revert.clear({ sessionID })
  got(await v2.session.revert.stage({ sessionID, messageID, files: true }))
  expect(isThere()).toBe(false)
  await v2.session.revert.clear({ sessionID })
  expect(isThere()).toBe(true)
})

it("refuses wrong pages and ids, and unknown messages and sessions", async () => {
  await using scene = await reading()
  const { v2, sessionID, ask } = scene
  await ask("A")
  const { cursor } = got(await v2.session.messages({ sessionID, limit: 1 }))
  const invalid = [400, expect.objectContaining({ _tag: "InvalidRequestError", kind: "Query" })]
  for (const query of [
    { limit: 0 },
    { limit: 501 },
    { limit: 1.5 },
    { order: "asc" as const, cursor: cursor.next ?? "" },
  ]) {
    expect(await failed(v2.session.messages({ sessionID, ...query }))).toEqual(invalid)
  }
  for (const wrong of ["abc", Buffer.from(JSON.stringify({ id: "x", order: "asc" })).toString("base64url")]) {
    expect(await failed(v2.session.messages({ sessionID, cursor: wrong }))).toEqual([
      400,
      expect.objectContaining({ _tag: "InvalidCursorError" }),
    ])
  }
  expect(await failed(v2.session.message({ sessionID, messageID: "other" }))).toEqual([
    400,
    expect.objectContaining({ _tag: "InvalidRequestError", kind: "Params" }),
  ])
  const unknown = { sessionID, messageID: "msg_unknown" }
  const missing = [404, expect.objectContaining({ _tag: "MessageNotFoundError", ...unknown })]
  expect(await failed(v2.session.message(unknown))).toEqual(missing)
  expect(await failed(v2.session.revert.stage(unknown))).toEqual(missing)
  const nowhere = "ses_unknown"
  const absent = [404, expect.objectContaining({ _tag: "SessionNotFoundError", sessionID: nowhere })]
  expect(await failed(v2.session.messages({ sessionID: nowhere }))).toEqual(absent)
  expect(await failed(v2.session.message({ sessionID: nowhere, messageID: "msg_1" }))).toEqual(absent)
  expect(await failed(v2.session.context({ sessionID: nowhere }))).toEqual(absent)
  expect(await failed(v2.session.revert.stage({ sessionID: nowhere, messageID: "msg_1" }))).toEqual(absent)
  expect(await failed(v2.session.revert.clear({ sessionID: nowhere }))).toEqual(absent)
})
