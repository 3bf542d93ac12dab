import { call, finish, stall, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { got, serving } from "../test/serving.ts"

async function longSession() {
  const summary = ["Objective", "Important details", "Work state", "Next move", "Relevant files"]
  const answers = Array.from({ length: 3 }, () => [text("Answered."), finish("stop")])
  const replies = [...answers, [text(summary.map((title) => `## ${title}\nSo it is.`).join("\n\n")), finish("stop")]]
  const serve = await serving({ replies })
  const { client } = serve
  const { id } = got(await client.session.create())
  for (const words of ["One", "Two", "Three"]) {
    const parts = [{ type: "text" as const, text: `${words} ${"More of it. ".repeat(200)}` }]
    await client.session.prompt({ path: { id }, body: { parts } })
  }
  return { ...serve, id, [Symbol.asyncDispose]: () => serve[Symbol.asyncDispose]() }
}

describe("sessions", () => {
  it("are created, read, changed, listed and removed", async () => {
    await using serve = await serving()
    const { client, directory } = serve
    const created = got(await client.session.create({ body: { title: "First" } }))
    expect(created).toMatchObject({ title: "First", directory, version: expect.any(String), slug: expect.any(String) })
    expect(created.id).toMatch(/^ses_/)
    const child = got(await client.session.create({ body: { parentID: created.id } }))
    expect(got(await client.session.children({ path: { id: created.id } })).map(({ id }) => id)).toEqual([child.id])
    expect(got(await client.session.get({ path: { id: child.id } })).parentID).toBe(created.id)
    const renamed = got(await client.session.update({ path: { id: created.id }, body: { title: "Renamed" } }))
    expect(renamed.title).toBe("Renamed")
    expect(
      got(await client.session.list())
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([created.id, child.id].toSorted())
    expect(got(await client.session.delete({ path: { id: created.id } }))).toBe(true)
    expect(got(await client.session.list())).toEqual([])
  })

  it("are listed by what changed last, and by what is asked", async () => {
    await using serve = await serving()
    const { app, client } = serve
    const first = got(await client.session.create({ body: { title: "Apples" } }))
    const second = got(await client.session.create({ body: { title: "Pears" } }))
    await client.session.create({ body: { parentID: first.id, title: "Apples below" } })
    await client.session.prompt({ path: { id: first.id }, body: { parts: [{ type: "text", text: "Hi" }] } })
    const list = async (query: string) => {
      const answer = await app.request(`/session?${query}`)
      return ((await answer.json()) as { title: string; id: string }[]).map(({ title }) => title)
    }
    expect((await list("roots=true"))[0]).toBe("Apples")
    expect(await list("roots=true")).toHaveLength(2)
    expect(await list("search=pear")).toEqual(["Pears"])
    expect(await list("limit=1")).toHaveLength(1)
    expect(await list(`start=${Date.now() + 60_000}`)).toEqual([])
    expect(second.id).toMatch(/^ses_/)
  })

  it("keep metadata, rules and whether they are archived", async () => {
    await using serve = await serving()
    const { app } = serve
    const send = (method: string, path: string, body: object) =>
      app.request(path, { method, body: JSON.stringify(body) })
    const permission = [{ permission: "bash", pattern: "*", action: "deny" }]
    const created = (await (await send("POST", "/session", { metadata: { a: 1 }, permission })).json()) as {
      id: string
    }
    expect(created).toMatchObject({ metadata: { a: 1 }, permission })
    const changed = await send("PATCH", `/session/${created.id}`, { time: { archived: 5 }, metadata: { b: 2 } })
    expect(await changed.json()).toMatchObject({ metadata: { b: 2 }, time: { archived: expect.any(Number) } })
  })

  it("are forked, with the messages before one", async () => {
    await using serve = await serving()
    const { client } = serve
    const { id } = got(await client.session.create({ body: { title: "Trunk" } }))
    for (const words of ["One", "Two"]) {
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: words }] } })
    }
    const second = got(await client.session.messages({ path: { id } }))[2]
    const fork = got(await client.session.fork({ path: { id }, body: { messageID: second?.info.id ?? "" } }))
    expect(fork.title).toBe("Trunk (fork #1)")
    expect(fork.parentID).toBeUndefined()
    expect(got(await client.session.messages({ path: { id: fork.id } }))).toHaveLength(2)
  })

  it("tell whether they are at work, until they are aborted", async () => {
    await using serve = await serving({ replies: [[text("Well"), stall()]] })
    const { client, engine } = serve
    const { id } = got(await client.session.create())
    const busy = new Promise<void>((resolve) => {
      engine.subscribe((event) => {
        if (event.type === "message.part.delta") resolve()
      })
    })
    const answer = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Go" }] } })
    await busy
    expect(got(await client.session.status())).toEqual({ [id]: { type: "busy" } })
    expect(got(await client.session.abort({ path: { id } }))).toBe(true)
    expect(got(await answer).info).toMatchObject({ role: "assistant", error: { name: "MessageAbortedError" } })
    expect(got(await client.session.status())).toEqual({})
  })

  it("show all that was sent of a text that is being written", async () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at} `)
    await using serve = await serving({ replies: [[text(words), stall()]] })
    const { client, engine } = serve
    const { id } = got(await client.session.create())
    const last = new Promise<void>((resolve) => {
      engine.subscribe((event) => {
        if (event.type === "message.part.delta" && event.properties.delta.includes("word199")) resolve()
      })
    })
    const answer = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Go" }] } })
    await last

    const messages = got(await client.session.messages({ path: { id } }))
    expect(messages.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: words.join("") })
    const { id: messageID = "" } = messages.at(-1)?.info ?? {}
    const one = got(await client.session.message({ path: { id, messageID } }))
    expect(one.parts.find((part) => part.type === "text")).toMatchObject({ text: words.join("") })
    await client.session.abort({ path: { id } })
    await answer
  })

  it("tell what their agent has to do", async () => {
    const todos = [
      { content: "Paint", status: "pending", priority: "high" },
      { content: "Dry", status: "completed" },
    ]
    const todowrite = {
      ...{ name: "todowrite", description: "", inputSchema: { type: "object" }, effect: "pure" as const },
      parse: (input: unknown) => input,
      execute: async () => ({ title: "", output: "ok" }),
    }
    const replies = [
      [call("todowrite", { todos }), finish("tool-calls")],
      [text("Done."), finish("stop")],
    ]
    await using serve = await serving({ replies, tools: [todowrite] })
    const { client } = serve
    const { id } = got(await client.session.create())
    expect(got(await client.session.todo({ path: { id } }))).toEqual([])
    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Plan" }] } })
    expect(got(await client.session.todo({ path: { id } }))).toEqual([
      { content: "Paint", status: "pending", priority: "high", id: "1" },
      { content: "Dry", status: "completed", priority: "medium", id: "2" },
    ])
  })

  it("are summarized", async () => {
    await using serve = await longSession()
    const { client, said, id } = serve
    const body = { providerID: "replay", modelID: "scripted" }
    expect(got(await client.session.summarize({ path: { id }, body }))).toBe(true)
    expect(said.filter(({ type }) => type === "session.compacted").map(({ properties }) => properties)).toEqual([
      { sessionID: id },
    ])
  })
})

describe("the command compact", () => {
  const parts = [{ type: "text" as const, text: "/compact the key" }]
  const ways: [string, (serve: Awaited<ReturnType<typeof longSession>>) => Promise<{ info: object }>][] = [
    [
      "as a command",
      async ({ client, id }) =>
        got(await client.session.command({ path: { id }, body: { command: "compact", arguments: "the key" } })),
    ],
    ["as a prompt", async ({ client, id }) => got(await client.session.prompt({ path: { id }, body: { parts } }))],
  ]

  it.each(ways)("summarizes with the focus, %s, and answers with the summary", async (_name, ask) => {
    await using serve = await longSession()

    const { info } = await ask(serve)

    expect(info).toMatchObject({ role: "assistant", summary: true })
    expect(JSON.stringify(serve.model.requests.at(-1)?.messages.at(-1))).toContain("the key")
    expect(serve.said.filter(({ type }) => type === "session.compacted")).toHaveLength(1)
    expect(JSON.stringify(got(await serve.client.session.messages({ path: { id: serve.id } })))).not.toContain(
      "/compact",
    )
  })

  it("is listed, and says that an empty session holds nothing", async () => {
    await using serve = await serving()
    const { client } = serve
    const { id } = got(await client.session.create())
    expect(got(await client.command.list()).map(({ name }) => name)).toEqual(["compact"])
    for (const { error, response } of [
      await client.session.prompt({ path: { id }, body: { parts } }),
      await client.session.command({ path: { id }, body: { command: "compact", arguments: "" } }),
    ])
      expect([response.status, error]).toMatchObject([400, { data: { message: expect.stringContaining(id) } }])
  })
})

describe("a summary that cannot be made", () => {
  it("is an error that says why", async () => {
    await using serve = await serving()
    const { client } = serve
    const { id } = got(await client.session.create())
    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Short." }] } })
    const body = { providerID: "replay", modelID: "scripted" }
    const { error, response } = await client.session.summarize({ path: { id }, body })
    expect([response.status, error]).toMatchObject([
      500,
      { name: "UnknownError", data: { message: expect.stringContaining("Nothing was compacted: ") } },
    ])
  })
})

describe("a session that is not there", () => {
  it("is a 404 that says so", async () => {
    await using serve = await serving()
    const id = "ses_000"
    for (const answer of [
      await serve.client.session.get({ path: { id } }),
      await serve.client.session.messages({ path: { id } }),
      await serve.client.session.children({ path: { id } }),
      await serve.client.session.todo({ path: { id } }),
      await serve.client.session.delete({ path: { id } }),
      await serve.client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } }),
      await serve.client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } }),
    ]) {
      expect(answer.response.status).toBe(404)
      expect(answer.error).toMatchObject({ name: "NotFoundError", data: { message: expect.stringContaining(id) } })
    }
  })

  it("is a 400 where it cannot be an id", async () => {
    await using serve = await serving()
    const { error, response } = await serve.client.session.get({ path: { id: "nonsense" } })
    expect([response.status, error]).toMatchObject([400, { name: "BadRequest", data: { kind: "Params" } }])
  })
})
