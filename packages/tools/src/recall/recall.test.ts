import { createHash } from "node:crypto"
import { join } from "node:path"
import type { Part, ToolState } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import type { JSONObject, MessageID, PartID, SessionID, ToolContext, ToolResult } from "@pawl/core/tool"
import { memoryStorage } from "@pawl/storage-memory"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { describe, expect, it, onTestFinished } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { recallTool } from "./recall.ts"
import { sessionRecord } from "./session-record.ts"

const START = Date.UTC(2026, 0, 2, 3, 4)
const own: SessionID = "ses_own"

const storages: readonly [string, () => Promise<Storage>][] = [
  ["memory", async () => memoryStorage()],
  ["sqlite", async () => sqliteStorage({ path: join(await testDirectory(), "pawl.db") })],
]

/** A session in which each entry is a message with one part, in this order. */
async function talk(storage: Storage, sessionID: SessionID, entries: readonly PartContent[]): Promise<PartID[]> {
  const time = { created: START, updated: START }
  const session = { id: sessionID, projectID: "p", directory: "/repo", title: "t", version: "1", time }
  await storage.commit(sessionID, [{ type: "session.put", session }])
  const ids: PartID[] = []
  for (const [index, content] of entries.entries()) {
    const number = String(index).padStart(4, "0")
    const [messageID, id]: [MessageID, PartID] = [
      `msg_${sessionID.slice(4)}${number}`,
      `prt_${sessionID.slice(4)}${number}`,
    ]
    const common = { id: messageID, sessionID, agent: "build", time: { created: START + index * 60_000 } }
    const model = { providerID: "p", modelID: "m" }
    const answer = { ...common, ...model, role: "assistant", parentID: "msg_0" as MessageID, mode: "build" } as const
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
    const isUser = content.type === "text" && !("time" in content)
    const message = isUser
      ? ({ ...common, role: "user", model } as const)
      : { ...answer, path: { cwd: "/repo", root: "/repo" }, cost: 0, tokens }
    const part = { ...content, id, sessionID, messageID } as Part
    await storage.commit(sessionID, [
      { type: "message.put", message },
      { type: "part.put", part },
    ])
    ids.push(id)
  }
  return ids
}

type PartContent = { readonly type: Part["type"] } & JSONObject

const asked = (text: string): PartContent => ({ type: "text", text })
const said = (text: string): PartContent => ({ type: "text", text, time: { start: START } })
function called(tool: string, output: string, metadata: JSONObject = {}, more: JSONObject = {}): PartContent {
  const time = { start: START, end: START + 1, ...more }
  const state: ToolState = { status: "completed", input: { of: tool }, output, title: "", metadata, time }
  return { type: "tool", callID: "c", tool, state: state as never }
}

describe.each(storages)("over %s storage", (_, open) => {
  async function opened(entries: readonly PartContent[]) {
    const storage = await open()
    onTestFinished(() => storage.close())
    const ids = await talk(storage, own, entries)
    const tool = recallTool(sessionRecord(storage))
    const context = testContext("/repo", { sessionID: own, messageID: "msg_zz" })
    const recall = async (input: JSONObject, more: Partial<ToolContext> = {}): Promise<ToolResult> =>
      tool.execute(tool.parse(input), { ...context, ...more })
    return { storage, ids, recall, context }
  }

  it("finds what was asked, said and done, the newest first, with when, who and the part's id", async () => {
    const { recall, ids } = await opened([
      asked("Please use the zebra library"),
      said("Nothing of it here."),
      called("bash", `${"long line ".repeat(100)}zebra 1.2.3 ${"and more ".repeat(100)}`, {}, { compacted: START + 5 }),
      said("The zebra is installed."),
    ])
    const { output, metadata } = await recall({ query: "zebra" })
    const entries = output.split("\n\n")
    expect(entries).toHaveLength(4)
    expect(entries[0]).toBe(`${ids[3]} (assistant, 2026-01-02 03:07 UTC)\n  The zebra is installed.`)
    expect(entries[1]).toMatch(
      /^prt_own0002 \(tool bash, 2026-01-02 03:04 UTC, cleared from the context\)\n {2}….*zebra 1\.2\.3.*…$/,
    )
    expect(entries[1]?.length).toBeLessThan(400)
    expect(entries[2]).toBe(`${ids[0]} (user, 2026-01-02 03:04 UTC)\n  Please use the zebra library`)
    expect(metadata).toEqual({ count: 3, truncated: false })
  })

  it("shows a fact in the middle of a long output, not the first of its words", async () => {
    const noise = (from: number) => Array.from({ length: 900 }, (_, n) => `port ${from + n} is free`).join("\n")
    const { recall } = await opened([called("bash", `${noise(1)}\nthe gateway port is 8443\n${noise(2000)}`)])
    expect((await recall({ query: "gateway port" })).output).toContain("the gateway port is 8443")
  })

  it("finds what a compaction has put before the context", async () => {
    const { storage, recall } = await opened([asked("The password rule is zebra"), said("Noted."), asked("Go on")])
    await storage.commit(own, [{ type: "session.patch", changes: { boundary: "msg_own0002" } }])
    expect((await storage.readContext(own)).messages).toHaveLength(1)
    expect((await recall({ query: "zebra" })).output).toContain("The password rule is zebra")
  })

  it("sees no other session", async () => {
    const { storage, recall } = await opened([asked("nothing here")])
    const [other] = await talk(storage, "ses_other", [asked("a secret zebra")])
    expect((await recall({ query: "zebra" })).output).toContain("Nothing in this session holds this word.")
    await expect(recall({ part: other ?? "" })).rejects.toThrow(`There is no part ${other} in this session.`)
  })

  it("does not find its own calls, nor the message that calls", async () => {
    const { recall, context } = await opened([
      said("The zebra."),
      called("recall", "zebra"),
      said("Where is the zebra?"),
    ])
    Object.assign(context, { messageID: "msg_own0002" })
    const { output, metadata } = await recall({ query: "zebra" })
    expect(metadata).toMatchObject({ count: 1 })
    expect(output).toContain("prt_own0000")
  })

  it("gives as many excerpts as are asked for, and says that there is more", async () => {
    const { recall } = await opened(Array.from({ length: 60 }, (_, n) => said(`zebra ${n}`)))
    const count = async (limit?: number) => (await recall({ query: "zebra", ...(limit ? { limit } : {}) })).metadata
    expect(await count()).toEqual({ count: 10, truncated: true })
    expect(await count(3)).toEqual({ count: 3, truncated: true })
    expect(await count(1000)).toEqual({ count: 50, truncated: true })
    expect((await recall({ query: "zebra", limit: 1 })).output).toContain("There is more: add words")
  })

  it("says what to try where nothing is found", async () => {
    const { recall } = await opened([asked("The zebra eats"), said("A lion sleeps")])
    const output = async (query: string) => (await recall({ query })).output
    expect(await output("tiger")).toContain("Nothing in this session holds this word. Try another word")
    expect(await output("zebra tiger")).toContain("Not found at all: tiger. Search again with: zebra.")
    expect(await output("zebra lion")).toContain("Each of them occurs alone: search for fewer at once.")
    expect(await output("tiger bear")).toContain("None of them occurs at all.")
  })

  it("reads a cleared output whole, page by page", async () => {
    const lines = Array.from({ length: 2500 }, (_, n) => `line ${n}`)
    const { recall, ids } = await opened([
      ...Array.from({ length: 80 }, () => said("before")),
      called("bash", lines.join("\n"), {}, { compacted: START + 5 }),
      ...Array.from({ length: 80 }, () => said("after")),
    ])
    const first = await recall({ part: ids[80] ?? "" })
    expect(first.output.split("\n").slice(0, 4)).toEqual([
      "prt_own0080 (tool bash, 2026-01-02 03:04 UTC, cleared from the context)",
      'Input: {"of":"bash"}',
      "Output:",
      "line 0",
    ])
    expect(first.output).toContain("\nline 1997\n\n(Showing lines 1-2000 of 2502. Use offset=2001 to continue.)")
    expect(first.metadata).toEqual({ truncated: true })
    const rest = await recall({ part: ids[80] ?? "", offset: 2001 })
    expect(rest.output).toContain("UTC, cleared from the context)\nline 1998\n")
    expect(rest.output).toContain("\nline 2499\n\n(End of prt_own0080 - total 2502 lines)")
    const some = await recall({ part: ids[80] ?? "", offset: 3, limit: 2 })
    expect(some.output).toContain(")\nline 0\nline 1\n\n(Showing lines 3-4 of 2502. Use offset=5 to continue.)")
    await expect(recall({ part: ids[80] ?? "", offset: 2503 })).rejects.toThrow(
      "prt_own0080 has 2502 lines. Use a smaller",
    )
  })

  it("reads all of an output of which the model saw a part", async () => {
    const whole = Buffer.from("everything\nof it")
    const blob = createHash("sha256").update(whole).digest("hex")
    const { recall, ids, context } = await opened([called("bash", "of it", { truncated: true, blob })])
    await context.blobs.put(whole)
    expect((await recall({ part: ids[0] ?? "" })).output).toContain("Output:\neverything\nof it\n")
  })

  it("shows what of it is left where the whole was not kept or cannot be read, and says so", async () => {
    const { recall, ids } = await opened([called("bash", "of it", { truncated: true, blob: "f".repeat(64) })])
    expect((await recall({ part: ids[0] ?? "" })).output).toContain("Output:\nof it\n(The rest was not kept.)\n")

    const closed = await open()
    await closed.close()
    const { output } = await recall({ part: ids[0] ?? "" }, { blobs: closed.blobs })
    expect(output).toMatch(/Output:\nof it\n\(The rest cannot be read: .*closed.*\)\n/)
  })

  it("comes to every character of a long line", async () => {
    const text = `${"é😀".repeat(3000)}the end`
    const { recall, ids } = await opened([said(text)])
    const { output } = await recall({ part: ids[0] ?? "" })
    expect(output.split("\n").slice(1, -2).join("")).toBe(text)
  })

  it("says so of a part that is not there, or holds no text", async () => {
    const { recall, ids } = await opened([{ type: "step-start" }, said("x")])
    await expect(recall({ part: "prt_nowhere" })).rejects.toThrow(
      "There is no part prt_nowhere in this session. Search with",
    )
    await expect(recall({ part: ids[0] ?? "" })).rejects.toThrow("Part prt_own0000 (step-start) holds no text.")
  })
})

describe("input", () => {
  const tool = recallTool(sessionRecord(memoryStorage()))
  it.each<[JSONObject, string]>([
    [{}, "Give query to search the session, or part to read one part of it."],
    [{ query: "a", part: "prt_1" }, "Give query to search, or part to read one part, not both."],
    [{ part: "msg_1" }, '"msg_1" is not a part id: part ids begin with prt_. Search with query first.'],
    [{ query: "a", offset: 2 }, "offset goes with part. To see more excerpts, set a larger limit."],
    [{ query: "--- !!" }, "The query holds no word: only letters and digits are searched for."],
    [{ query: "" }, "The recall tool was called with invalid arguments: query"],
    [{ query: "a", limit: 0 }, "The recall tool was called with invalid arguments: limit"],
    [{ words: "a" }, "Give query to search the session"],
  ])("%j is refused with what to do", (input, message) => {
    expect(() => tool.parse(input)).toThrow(expect.objectContaining({ name: "ToolInputError" }) as Error)
    expect(() => tool.parse(input)).toThrow(message)
  })

  it("asks for one permission, of its own name", async () => {
    expect(await tool.permissions?.(tool.parse({ query: "a" }), { directory: "/", worktree: "/" })).toEqual([
      { permission: "recall", patterns: ["*"] },
    ])
  })
})
