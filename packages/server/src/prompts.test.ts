import { symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { SessionID, ToolContext } from "@pawl/core/tool"
import { call, finish, text } from "@pawl/provider-replay"
import { taskTool } from "@pawl/tools"
import { describe, expect, it } from "vitest"
import { got, serving, type ServingOptions } from "../test/serving.ts"

async function prompting(options: ServingOptions = {}) {
  const serve = await serving(options)
  const { id } = got(await serve.client.session.create())
  return { ...serve, id, [Symbol.asyncDispose]: () => serve[Symbol.asyncDispose]() }
}

/** All that the model was sent as texts in its last request. */
function lastTexts({ model }: { readonly model: { readonly requests: readonly object[] } }): string {
  return JSON.stringify((model.requests.at(-1) as { messages: unknown }).messages)
}

describe("a prompt", () => {
  it("is answered with OpenCode's message and parts", async () => {
    await using scene = await prompting()
    const { client, id, directory } = scene
    const answer = got(await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } }))
    expect(answer.info).toMatchObject({
      ...{ role: "assistant", sessionID: id, agent: "build", mode: "build", finish: "stop" },
      ...{ providerID: "replay", modelID: "scripted", path: { cwd: directory, root: directory } },
      tokens: { input: expect.any(Number), cache: { read: 0, write: 0 } },
    })
    expect(answer.parts.map(({ type }) => type)).toEqual(["step-start", "text", "step-finish"])
    expect(answer.parts.at(-1)).not.toHaveProperty("measured")
    expect(answer.parts.at(-1)).not.toHaveProperty("prefix")
  })

  it("is stored only, without an answer, where none is wanted", async () => {
    await using scene = await prompting()
    const { client, id, model } = scene
    const parts = [{ type: "text" as const, text: "Know this", synthetic: true }]
    const stored = got(await client.session.prompt({ path: { id }, body: { noReply: true, parts } }))
    expect(stored.info).toMatchObject({ role: "user", model: { providerID: "replay", modelID: "scripted" } })
    expect(stored.parts).toMatchObject([{ type: "text", text: "Know this", synthetic: true }])
    expect(model.requests).toEqual([])
    await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } })
    expect(lastTexts(scene)).toContain("Know this")
  })

  it("may be left to be answered: failures are told as events", async () => {
    await using scene = await prompting()
    const { client, id, engine, said } = scene
    const idle = new Promise<void>((resolve) => {
      engine.subscribe(({ type }) => (type === "session.idle" ? resolve() : undefined))
    })
    const { response } = await client.session.promptAsync({
      path: { id },
      body: { parts: [{ type: "text", text: "Hi" }] },
    })
    expect(response.status).toBe(204)
    await idle
    const failing = { agent: "nobody", parts: [{ type: "text" as const, text: "Hi" }] }
    expect((await client.session.promptAsync({ path: { id }, body: failing })).response.status).toBe(204)
    await expect
      .poll(() => said.find(({ type }) => type === "session.error")?.properties)
      .toMatchObject({
        sessionID: id,
        error: { name: "UnknownError", data: { message: expect.stringContaining("nobody") } },
      })
  })

  it.each(["explore", "title", "helper"])("may choose the agent %s, which people may not", async (agent) => {
    const helper = { name: "helper", mode: "subagent" as const, hidden: true, prompt: "You help." }
    await using scene = await prompting({ agents: [helper] })
    const { client, id, engine, model } = scene
    const parts = [{ type: "text" as const, text: "Look around" }]
    const idle = new Promise<void>((resolve) => {
      engine.subscribe(({ type }) => (type === "session.idle" ? resolve() : undefined))
    })
    await client.session.promptAsync({ path: { id }, body: { agent, parts } })
    await idle
    const child = got(await client.session.create({ body: { parentID: id } }))
    const answer = got(await client.session.prompt({ path: { id: child.id }, body: { agent, parts } }))

    expect(answer.info).toMatchObject({ agent, finish: "stop" })
    const [asked, answered] = got(await client.session.messages({ path: { id } }))
    expect([asked?.info, answered?.info]).toMatchObject([{ agent }, { agent, finish: "stop" }])
    expect(model.requests).toHaveLength(2)
    expect(scene.said.filter(({ type }) => type === "session.error")).toEqual([])
    await expect(engine.prompt({ sessionID: id as SessionID, agent, parts })).rejects.toThrow(`Agent "${agent}"`)
  })

  it("may choose agent, model, system prompt and tools", async () => {
    const tool = (name: string) => ({
      ...{ name, description: "", inputSchema: { type: "object" }, effect: "pure" as const },
      parse: (input: unknown) => input,
      execute: async () => ({ title: "", output: "" }),
    })
    await using scene = await prompting({ tools: [tool("one"), tool("two")] })
    const { client, id, model } = scene
    const body = {
      ...{
        agent: "plan",
        model: { providerID: "replay", modelID: "scripted" },
        system: "Be brief.",
        tools: { two: false },
      },
      parts: [{ type: "text" as const, text: "Hi" }],
    }
    expect(got(await client.session.prompt({ path: { id }, body })).info).toMatchObject({ agent: "plan" })
    const [request] = model.requests
    expect(request?.system.join("\n")).toContain("Be brief.")
    expect(request?.tools.map(({ name }) => name)).toEqual(["one"])
  })

  it("may choose how hard the model thinks, of what it offers", async () => {
    await using scene = await prompting({ info: { variants: { low: { effort: 1 }, high: { effort: 9 } } } })
    const { client, id, model } = scene
    const ask = (variant: string) => {
      // OpenCode's SDK of that time names no variant, and its server takes one.
      const body = { variant, parts: [{ type: "text" as const, text: "Hi" }] }
      return client.session.prompt({ path: { id }, body })
    }
    await ask("high")
    expect(model.requests[0]?.settings?.options).toMatchObject({ effort: 9 })
    expect((await ask("highest")).response.status).toBe(404)
    const { providers } = got(await client.config.providers())
    expect(providers[0]?.models).toMatchObject({ scripted: { variants: { low: { effort: 1 } } } })
  })

  it("may bring files: texts as texts, others as they are", async () => {
    await using scene = await prompting()
    const { client, id, directory } = scene
    const path = join(directory, "dot.png")
    await writeFile(path, Buffer.from([137, 80, 78, 71]))
    const file = (mime: string, url: string) => ({ type: "file" as const, mime, url })
    const parts = [
      { type: "text" as const, text: "See" },
      file("text/plain", pathToFileURL(join(directory, "read.me")).href),
      file("text/plain", `data:text/plain;base64,${Buffer.from("inline").toString("base64")}`),
      file("image/png", pathToFileURL(path).href),
      file("application/x-directory", pathToFileURL(directory).href),
    ]
    got(await client.session.prompt({ path: { id }, body: { parts } }))
    const sent = lastTexts(scene)
    for (const words of ["one\\ntwo", "inline", "dot.png\\nread.me"]) expect(sent).toContain(words)
    const [asked] = got(await client.session.messages({ path: { id } }))
    expect(asked?.parts.filter(({ type }) => type === "file")).toHaveLength(4)
    const missing = { parts: [file("text/plain", "file:///does/not/exist")] }
    expect((await client.session.prompt({ path: { id }, body: missing })).response.status).toBe(400)
  })

  it("may bring a file by a link within the project, and by none that leads out of it", async () => {
    await using scene = await prompting()
    const { client, id, directory } = scene
    await using other = await prompting()
    const outside = join(other.directory, "token.txt")
    await writeFile(outside, "TOKEN")
    await symlink(outside, join(directory, "link.txt"))
    await symlink("read.me", join(directory, "inside.txt"))
    const ask = (path: string) => {
      const parts = [{ type: "file" as const, mime: "text/plain", url: pathToFileURL(path).href }]
      return client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "See" }, ...parts] } })
    }
    const refused = await ask(join(directory, "link.txt"))
    expect([refused.response.status, JSON.stringify(refused.error)]).toEqual([
      ...[400, expect.stringContaining("outside of the project. Attach that file itself.")],
    ])
    expect(scene.model.requests).toHaveLength(0)
    got(await ask(join(directory, "inside.txt")))
    expect(lastTexts(scene)).toContain("one\\ntwo")
  })

  it.each([
    [{}, "parts"],
    [{ parts: [{ type: "text" }] }, "text"],
    [{ parts: [{ type: "video", url: "x" }] }, "type"],
    [{ parts: [{ type: "text", text: "x" }], format: { type: "json_schema", schema: {} } }, "json_schema"],
    [{ parts: [] }, "empty"],
  ])("that does not fit is refused: %j", async (body, word) => {
    await using scene = await prompting()
    const answer = await scene.client.session.prompt({ path: { id: scene.id }, body: body as never })
    expect(answer.response.status).toBe(400)
    expect(answer.error).toMatchObject({ name: "BadRequest", data: { message: expect.stringContaining(word) } })
  })

  it("whose body is no JSON is refused", async () => {
    await using scene = await prompting()
    const answer = await scene.app.request(`/session/${scene.id}/message`, { method: "POST", body: "{" })
    expect([answer.status, await answer.json()]).toMatchObject([400, { name: "BadRequest" }])
  })
})

describe("messages", () => {
  it("come in pages from the newest on, each with its oldest message first", async () => {
    await using scene = await prompting()
    const { client, id } = scene
    for (const words of ["One", "Two", "Three"]) {
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: words }] } })
    }
    const all = got(await client.session.messages({ path: { id } }))
    expect(all.map(({ info }) => info.role)).toEqual(["user", "assistant", "user", "assistant", "user", "assistant"])
    const seen: string[] = []
    let before: string | undefined
    for (let page = 0; page < 3; page++) {
      const query = { limit: 2, ...(before === undefined ? {} : { before }) }
      const answer = await client.session.messages({ path: { id }, query })
      seen.unshift(...got(answer).map(({ info }) => info.id))
      before = answer.response.headers.get("x-next-cursor") ?? undefined
      if (before) expect(answer.response.headers.get("link")).toContain('rel="next"')
    }
    expect(before).toBeUndefined()
    expect(seen).toEqual(all.map(({ info }) => info.id))
    const [first] = all
    const one = got(await client.session.message({ path: { id, messageID: first?.info.id ?? "" } }))
    expect(one).toEqual(first)
    expect((await client.session.message({ path: { id, messageID: "msg_0" } })).response.status).toBe(404)
    expect((await scene.app.request(`/session/${id}/message?before=msg_0`)).status).toBe(400)
    expect((await scene.app.request(`/session/${id}/message?before=x&limit=1`)).status).toBe(400)
  })
})

describe("a command", () => {
  const commands = () => [
    { name: "hail", template: "Hail $1", description: "Hails", hints: ["whom"], agent: "plan", expand },
    { name: "dig", agent: "explore", expand },
  ]
  const expand = async (args: string) => [{ type: "text" as const, text: `Hail ${args}!` }]

  it("is expanded and answered, and told when it was", async () => {
    await using scene = await prompting({ host: { commands } })
    const { client, id, said } = scene
    expect(got(await client.command.list())[0]).toEqual({
      ...{ name: "hail", template: "Hail $1", description: "Hails", hints: ["whom"], agent: "plan", source: "command" },
    })
    const body = { command: "hail", arguments: "Ada" }
    const answer = got(await client.session.command({ path: { id }, body }))
    expect(answer.info).toMatchObject({ role: "assistant", agent: "plan" })
    expect(lastTexts(scene)).toContain("Hail Ada!")
    expect(said.find(({ type }) => type === "command.executed")?.properties).toEqual({
      ...{ name: "hail", sessionID: id, arguments: "Ada", messageID: answer.info.id },
    })
    const unknown = await client.session.command({ path: { id }, body: { command: "nothing", arguments: "" } })
    expect([unknown.response.status, unknown.error]).toMatchObject([
      404,
      { data: { message: expect.stringContaining("hail, dig") } },
    ])
  })

  it("goes to a subagent where its agent is one", async () => {
    const replies = [
      [text("Dug."), finish("stop")],
      [text("Done."), finish("stop")],
    ]
    const tools = [taskTool([{ name: "explore", description: "Digs." }])]
    await using scene = await prompting({ host: { commands }, replies, tools })
    const { client, id } = scene
    got(await client.session.command({ path: { id }, body: { command: "dig", arguments: "deep" } }))
    expect(got(await client.session.children({ path: { id } }))).toHaveLength(1)
  })

  it("goes to a subagent that its sender names, and is answered by a hidden agent itself", async () => {
    const replies = [
      [text("Dug."), finish("stop")],
      [text("Done."), finish("stop")],
      [text("A title"), finish("stop")],
    ]
    const own = () => [{ name: "plain", template: "Go", expand: async () => [{ type: "text" as const, text: "Go" }] }]
    const tools = [taskTool([{ name: "explore" }])]
    await using scene = await prompting({ host: { commands: own }, replies, tools })
    const { client, id } = scene
    const send = async (agent: string) =>
      got(await client.session.command({ path: { id }, body: { agent, command: "plain", arguments: "" } }))
    await send("explore")
    expect(got(await client.session.children({ path: { id } }))).toHaveLength(1)
    expect((await send("title")).info).toMatchObject({ agent: "title" })
    expect(got(await client.session.children({ path: { id } }))).toHaveLength(1)
  })
})

describe("what is asked of people", () => {
  const risky = {
    ...{ name: "risky", description: "", inputSchema: { type: "object" }, effect: "unsafe" as const },
    parse: (input: unknown) => input,
    execute: async () => ({ title: "", output: "went well" }),
  }
  const permission = [{ name: "test", rules: [{ permission: "risky", pattern: "*", action: "ask" as const }] }]

  /** A prompt whose tool waits to be allowed. */
  async function askedFor() {
    const replies = [
      [call("risky", {}), finish("tool-calls")],
      [text("Done."), finish("stop")],
    ]
    const scene = await prompting({ tools: [risky], permission, askPolicy: "wait", replies })
    const { client, id, said } = scene
    const answer = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Go" }] } })
    await expect.poll(() => said.some(({ type }) => type === "permission.asked")).toBe(true)
    return { ...scene, answer, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() }
  }

  it("can be answered by the id of the request", async () => {
    await using scene = await askedFor()
    const { client, id, app, said, answer } = scene
    const open = (await (await app.request("/permission")).json()) as { id: string }[]
    expect(open).toMatchObject([
      { sessionID: id, permission: "risky", patterns: ["*"], tool: { callID: expect.any(String) } },
    ])
    expect(open[0]).not.toHaveProperty("rootSessionID")
    const path = { id, permissionID: open[0]?.id ?? "" }
    expect(got(await client.postSessionIdPermissionsPermissionId({ path, body: { response: "once" } }))).toBe(true)
    expect(got(await answer).info.finish).toBe("stop")
    expect(lastTexts(scene)).toContain("went well")
    expect(await (await app.request("/permission")).json()).toEqual([])
    const again = await client.postSessionIdPermissionsPermissionId({ path, body: { response: "once" } })
    expect(again.response.status).toBe(404)
    expect(said.find(({ type }) => type === "permission.replied")?.properties).toEqual({
      ...{ sessionID: id, requestID: path.permissionID, reply: "once" },
    })
  })

  it("can be refused with words that the model reads", async () => {
    await using scene = await askedFor()
    const { app, answer } = scene
    const [request] = (await (await app.request("/permission")).json()) as { id: string }[]
    const body = JSON.stringify({ reply: "reject", message: "Use the safe one." })
    expect((await app.request(`/permission/${request?.id}/reply`, { method: "POST", body })).status).toBe(200)
    await answer
    expect(lastTexts(scene)).toContain("Use the safe one.")
  })

  it.each<[string, (open: { id: string; sessionID: string }) => string, object]>([
    ["request", ({ id }) => `/permission/${id}/reply`, {}],
    ["question", ({ id, sessionID }) => `/session/${sessionID}/question/${id}`, { type: "permission" }],
  ])("can be answered with patterns by the id of the %s, if they match", async (_, pathOf, fields) => {
    await using scene = await askedFor()
    const { app, answer } = scene
    const [request] = (await (await app.request("/permission")).json()) as { id: string; sessionID: string }[]
    if (!request) throw new Error("There is no request.")
    const send = (patterns: unknown) => {
      const body = JSON.stringify({ ...fields, reply: "always", patterns })
      return app.request(pathOf(request), { method: "POST", body })
    }
    const wrong = await send(["r"])
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain("does not match risky")
    expect((await send([])).status).toBe(400)
    expect((await send("*")).status).toBe(400)
    expect((await send(["?"])).status).toBe(200)
    await answer
    expect(lastTexts(scene)).toContain("went well")
    expect((await scene.engine.getSession(request.sessionID as `ses_${string}`)).approvals).toMatchObject([
      { permission: "risky", pattern: "?", glob: true },
    ])
  })

  it("can be chosen or dismissed", async () => {
    const asking = {
      ...{ name: "asking", description: "", inputSchema: { type: "object" }, effect: "pure" as const },
      parse: (input: unknown) => input,
      async execute(_input: unknown, context: ToolContext) {
        const options = [{ label: "red", description: "" }]
        const answers = await context.ask([{ question: "Which?", header: "Colour", options }])
        return { title: "", output: JSON.stringify(answers) }
      },
    }
    const asks = [call("asking", {}), finish("tool-calls")]
    const replies = [asks, [text("Done."), finish("stop")], asks, [text("Done."), finish("stop")]]
    await using scene = await prompting({ tools: [asking], askPolicy: "wait", replies })
    const { client, id, app, said } = scene
    for (const [round, path, body] of [
      [1, "reply", { answers: [["red"]] }],
      [2, "reject", {}],
    ] as const) {
      const answer = client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Go" }] } })
      await expect.poll(() => said.filter(({ type }) => type === "question.asked").length).toBe(round)
      const [request] = (await (await app.request("/question")).json()) as { id: string }[]
      const sent = await app.request(`/question/${request?.id}/${path}`, { method: "POST", body: JSON.stringify(body) })
      expect([sent.status, await sent.json()]).toEqual([200, true])
      await answer
    }
    expect(lastTexts(scene)).toContain('[[\\"red\\"]]')
    expect(said.map(({ type }) => type)).toEqual(expect.arrayContaining(["question.replied", "question.rejected"]))
    expect((await app.request("/question/prt_0/reject", { method: "POST" })).status).toBe(404)
  })
})
