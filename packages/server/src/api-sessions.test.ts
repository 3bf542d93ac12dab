import { createIDSource, type SessionID } from "@pawl/core"
import type { Session } from "@pawl/core/record"
import { finish, text } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { failed, got, newerClient, serving } from "../test/serving.ts"

const ids = createIDSource(Date.now)
const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Stores sessions that were created one millisecond after the other, and returns their ids, oldest first. */
async function stored(
  storage: ReturnType<typeof memoryStorage>,
  ...sessions: readonly (Partial<Session> & { readonly title: string })[]
): Promise<SessionID[]> {
  const all: SessionID[] = []
  for (const [at, fields] of sessions.entries()) {
    const id = ids.session()
    const time = { created: at + 1, updated: at + 1 }
    const session: Session = { id, projectID: "project-1", directory: "/work", version: "1", time, ...fields }
    await storage.commit(id, [{ type: "session.put", session }])
    all.push(id)
  }
  return all
}

describe("the list of sessions of the newer interface", () => {
  it("has every field of a session, with what it has spent", async () => {
    const usage = { input: 1000, output: 20, cacheRead: 300 }
    const cost = { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 }
    await using serve = await serving({
      replies: [[text("Hello."), finish("stop", usage)], [text("A title")], [text("Again."), finish("stop", usage)]],
      info: { cost },
    })
    const { client, directory } = serve
    const { id } = got(await client.session.create({ body: { title: "First" } }))
    const child = got(await client.session.create({ body: { parentID: id, title: "Below" } }))
    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } })

    const messages = got(await client.session.messages({ path: { id } }))
    const { info } = messages.findLast((message) => message.info.role === "assistant") ?? {}
    if (info?.role !== "assistant") throw new Error("There is no answer.")
    expect(info.cost).toBeGreaterThan(0)
    const { data } = got(await newerClient(serve).v2.session.list())
    expect(data.map((each) => each.title)).toEqual(["Below", "First"])
    const { time } = got(await client.session.get({ path: { id } }))
    expect(data[1]).toEqual({
      id,
      projectID: expect.any(String),
      agent: "build",
      model: { id: "scripted", providerID: "replay" },
      cost: info.cost,
      tokens: info.tokens,
      time: { created: time.created, updated: time.updated },
      title: "First",
      location: { directory },
    })
    // The usage of a session is not that of its parent.
    expect(data[0]).toMatchObject({ id: child.id, parentID: id, cost: 0, tokens: noTokens })

    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "More" }] } })
    const one = got(await newerClient(serve).v2.session.get({ sessionID: id })).data
    expect(one.cost).toBeGreaterThan(info.cost)
  })

  it("pages in both directions, in the order of creation", async () => {
    const storage = memoryStorage()
    await stored(storage, ...["A", "B", "C", "D", "E"].map((title) => ({ title })))
    await using serve = await serving({ storage })
    const { v2 } = newerClient(serve)
    const page = async (query: Parameters<typeof v2.session.list>[0]) => {
      const { data, cursor } = got(await v2.session.list(query))
      return { titles: data.map(({ title }) => title).join(""), ...cursor }
    }
    const first = await page({ limit: 2 })
    expect(first.titles).toBe("ED")
    const second = await page({ limit: 2, cursor: first.next ?? "" })
    expect(second.titles).toBe("CB")
    const third = await page({ limit: 2, cursor: second.next ?? "" })
    expect(third.titles).toBe("A")
    expect(await page({ limit: 2, cursor: third.next ?? "" })).toEqual({ titles: "" })
    expect((await page({ limit: 2, cursor: third.previous ?? "" })).titles).toBe("CB")
    expect((await page({ limit: 1, cursor: third.previous ?? "" })).titles).toBe("B")
    const oldest = await page({ limit: 3, order: "asc" })
    expect(oldest.titles).toBe("ABC")
    expect((await page({ limit: 3, cursor: oldest.next ?? "" })).titles).toBe("DE")
    expect((await page({})).titles).toBe("EDCBA")
    expect((await page({ limit: 5000 })).titles).toBe("EDCBA")
  })

  it("filters, and keeps the filter in its cursors", async () => {
    const storage = memoryStorage()
    await stored(
      storage,
      { title: "Apple one" },
      { title: "apple two", directory: "/other", projectID: "project-2" },
      { title: "Pear", time: { created: 3, updated: 3, archived: 4 } },
      { title: "apple three" },
    )
    await using serve = await serving({ storage })
    const { v2 } = newerClient(serve)
    const titles = async (query: Parameters<typeof v2.session.list>[0]) =>
      got(await v2.session.list(query)).data.map(({ title }) => title)
    expect(await titles({ search: "APPLE" })).toEqual(["apple three", "apple two", "Apple one"])
    expect(await titles({ project: "project-2" })).toEqual(["apple two"])
    expect(await titles({ workspace: "wrk_1" })).toEqual([])
    // Archived sessions are in the list, as in OpenCode.
    expect(await titles({ project: "project-1" })).toEqual(["apple three", "Pear", "Apple one"])
    const { cursor } = got(await v2.session.list({ search: "apple", limit: 1 }))
    expect(await titles({ cursor: cursor.next ?? "", limit: 9 })).toEqual(["apple two", "Apple one"])
  })

  it("names a session's directory within the project", async () => {
    const storage = memoryStorage()
    await using serve = await serving({ storage })
    const { directory } = serve
    await stored(storage, { title: "Top", directory }, { title: "Below", directory: `${directory}/a/b` })
    const { v2 } = newerClient(serve)
    const { data } = got(await v2.session.list())
    expect(data.map(({ location, subpath }) => [location.directory, subpath])).toEqual([
      [`${directory}/a/b`, "a/b"],
      [directory, undefined],
    ])
    const listed = async (query: Parameters<typeof v2.session.list>[0]) =>
      got(await v2.session.list(query)).data.map(({ title }) => title)
    expect(await listed({ subpath: "a/b" })).toEqual(["Below"])
    expect(await listed({ directory })).toEqual(["Top"])
    expect(await listed({ directory: `${directory}/a/b` })).toEqual(["Below"])
  })

  it("refuses what it does not understand, with the names of the newer interface", async () => {
    await using serve = await serving()
    const { v2 } = newerClient(serve)
    expect(await failed(v2.session.list({ cursor: "abc" }))).toEqual([
      400,
      expect.objectContaining({ _tag: "InvalidCursorError", message: expect.stringContaining("cursor") }),
    ])
    for (const query of [{ limit: 0 }, { limit: 5001 }, { limit: 1.5 }]) {
      expect(await failed(v2.session.list(query))).toEqual([
        400,
        expect.objectContaining({ _tag: "InvalidRequestError", kind: "Query" }),
      ])
    }
    expect(await failed(v2.session.get({ sessionID: "ses_unknown" }))).toEqual([
      404,
      expect.objectContaining({ _tag: "SessionNotFoundError", sessionID: "ses_unknown" }),
    ])
    expect(await failed(v2.session.get({ sessionID: "other" }))).toEqual([
      400,
      expect.objectContaining({ _tag: "InvalidRequestError" }),
    ])
  })
})
