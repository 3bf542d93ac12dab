import type { PermissionScope } from "@pawl/core/permission"
import type { Provider } from "@pawl/core/provider"
import { call, finish, text } from "@pawl/provider-replay"
import { taskTool } from "@pawl/tools"
import { describe, expect, it } from "vitest"
import type { OpenCodeClient } from "../client/create-client.ts"
import { running, type RunningOptions, sentText } from "../../test/running.ts"

type Output = Record<string, never>
type Hook = (input: never, output: never) => unknown

/** A plugin with these hooks. */
const having = (hooks: Readonly<Record<string, unknown>>) => ({ default: async () => hooks })

const bash = {
  ...{ name: "bash", description: "Runs.", inputSchema: { type: "object", properties: {} }, effect: "unsafe" as const },
  parse: (input: unknown) => input,
  execute: async (input: unknown) => ({ title: "ran", output: `ran ${JSON.stringify(input)}`, metadata: { exit: 0 } }),
}
const calling = (...calls: (readonly [string, object])[]) => [
  [...calls.map(([name, input]) => call(name, input as never)), finish("tool-calls")],
  [text("Done."), finish("stop")],
]

const NAMES = [
  "chat.message",
  "chat.params",
  "chat.headers",
  "command.execute.before",
  "tool.execute.before",
  "tool.execute.after",
  "tool.definition",
  "shell.env",
  "experimental.chat.messages.transform",
  "experimental.chat.system.transform",
  "experimental.session.compacting",
  "experimental.text.complete",
]

describe("the hooks of a turn", () => {
  it("are called in OpenCode's order, each with OpenCode's input and output", async () => {
    const seen: { name: string; input: Output; output: Output }[] = []
    const record = (name: string) => (input: Output, output: Output) => {
      seen.push({ name, input: structuredClone(input), output: structuredClone(output) })
    }
    const events: string[] = []
    const hooks = {
      ...Object.fromEntries(NAMES.map((name) => [name, record(name)])),
      event: ({ event }: { event: { type: string } }) => void events.push(event.type),
    }
    await using scene = await running({
      modules: { probe: having(hooks) },
      tools: [bash],
      replies: calling(["bash", { command: "ls" }]),
    })
    const { sessionID } = scene
    await scene.ask("Hi")

    const step = [
      "experimental.chat.messages.transform",
      "experimental.chat.system.transform",
      "chat.params",
      "chat.headers",
    ]
    const names = seen.map(({ name }) => name)
    expect(names.filter((name) => name !== "tool.definition")).toEqual([
      ...["chat.message", ...step, "tool.execute.before", "tool.execute.after"],
      ...[...step, "experimental.text.complete"],
    ])
    const of = (name: string) => seen.find((each) => each.name === name) as (typeof seen)[number]
    const model = { id: "scripted", providerID: "replay", capabilities: { toolcall: true }, limit: { context: 0 } }
    const user = { role: "user", sessionID, agent: "build", model: { providerID: "replay", modelID: "scripted" } }
    expect(of("chat.message").input).toMatchObject({
      sessionID,
      agent: "build",
      messageID: expect.stringMatching(/^msg_/),
    })
    expect(of("chat.message").output).toMatchObject({ message: user, parts: [{ type: "text", text: "Hi", sessionID }] })
    expect(of("tool.definition").input).toEqual({ toolID: "bash" })
    expect(of("tool.definition").output).toEqual({
      ...{ description: "Runs.", parameters: { type: "object", properties: {} }, jsonSchema: undefined },
    })
    expect(of("experimental.chat.messages.transform").input).toEqual({})
    expect(of("experimental.chat.messages.transform").output).toMatchObject({
      messages: [{ info: user, parts: [{ text: "Hi" }] }],
    })
    expect(of("experimental.chat.system.transform").input).toMatchObject({ sessionID, model })
    expect(of("experimental.chat.system.transform").output).toEqual({ system: [expect.any(String)] })
    expect(of("chat.params").input).toMatchObject({
      ...{ sessionID, agent: "build", model, message: user },
      provider: { id: "replay", source: "config", options: {}, info: { id: "replay", models: { scripted: model } } },
    })
    expect(Object.keys(of("chat.params").output)).toEqual(["temperature", "topP", "topK", "maxOutputTokens", "options"])
    expect(of("chat.headers").output).toEqual({ headers: {} })
    expect(of("tool.execute.before").input).toEqual({ tool: "bash", sessionID, callID: "call_1" })
    expect(of("tool.execute.before").output).toEqual({ args: { command: "ls" } })
    expect(of("tool.execute.after").input).toEqual({
      tool: "bash",
      sessionID,
      callID: "call_1",
      args: { command: "ls" },
    })
    expect(of("tool.execute.after").output).toMatchObject({
      title: "ran",
      output: 'ran {"command":"ls"}',
      metadata: { exit: 0 },
    })
    expect(Object.keys(of("experimental.text.complete").input)).toEqual(["sessionID", "messageID", "partID"])
    expect(of("experimental.text.complete").output).toEqual({ text: "Done." })

    const first = (type: string) => events.indexOf(type)
    expect(first("message.updated")).toBeLessThan(first("message.part.updated"))
    expect(first("message.part.updated")).toBeLessThan(first("message.part.delta"))
    expect(events.slice(-2)).toEqual(["session.status", "session.idle"])
  })
})

describe("what hooks change", () => {
  it("counts: parameters, headers, system prompt, definitions, texts", async () => {
    const hooks: Record<string, Hook> = {
      "chat.params": (_input, output: { temperature: number; topK: number; options: object }) => {
        output.temperature = 0.25
        output.topK = 7
        output.options = { effort: "high" }
      },
      "chat.headers": (_input, output: { headers: Record<string, string> }) => void (output.headers["x-probe"] = "1"),
      "experimental.chat.system.transform": (_input, output: { system: string[] }) => {
        output.system[0] += "\nBehind."
        output.system.push("Own one.", "Own two.")
      },
      "tool.definition": (_input, output: { description: string; parameters: { title?: string } }) => {
        output.description = "Runs well."
        output.parameters.title = "Bash"
      },
      "experimental.text.complete": (_input, output: { text: string }) => void (output.text = "Said otherwise."),
      "chat.message": (_input, output: { parts: { text: string }[] }) => {
        const [first] = output.parts
        if (first) first.text = "Bonjour"
        output.parts.push({ type: "text", text: "Et plus", synthetic: true } as never)
      },
    }
    await using scene = await running({ modules: { changes: having(hooks) }, tools: [bash] })
    const result = await scene.ask("Hi")
    const [request] = scene.model.requests
    expect(request?.settings).toMatchObject({ temperature: 0.25, topK: 7, options: { effort: "high" } })
    expect(request?.headers).toEqual({ "x-probe": "1" })
    expect(request?.system.at(-1)).toBe("Own one.\nOwn two.")
    expect(request?.system.at(-2)).toMatch(/\nBehind\.$/)
    expect(request?.tools).toMatchObject([
      { description: "Runs well.", inputSchema: { title: "Bash", type: "object" } },
    ])
    expect(result).toMatchObject({
      answer: { parts: expect.arrayContaining([expect.objectContaining({ text: "Said otherwise." })]) },
    })
    const { messages } = await scene.storage.readContext(scene.sessionID)
    expect(messages[0]?.parts.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      "Bonjour",
      "Et plus",
    ])
  })

  it("of messages is what stands in the array that was given, changed in place", async () => {
    const transform = (
      _input: unknown,
      output: { messages: { info: { role: string }; parts: { type: string; text?: string }[] }[] },
    ) => {
      const { messages } = output
      // The first turn goes, a part is changed, one is added, and a whole message.
      if (messages.length > 2) messages.splice(0, 2)
      const last = messages.at(-1)
      last?.parts.push({ type: "text", text: "Pushed." })
      messages.unshift(
        structuredClone({
          ...messages[0],
          info: { ...messages[0]?.info, id: "mine" },
          parts: [{ type: "text", text: "Unshifted." }],
        }) as never,
      )
      output.messages = []
    }
    await using scene = await running({
      modules: { changes: having({ "experimental.chat.messages.transform": transform }) },
    })
    await scene.ask("First")
    await scene.ask("Second")
    const sent = sentText(scene.model)
    expect(sent).not.toContain("First")
    for (const words of ["Second", "Pushed.", "Unshifted."]) expect(sent).toContain(words)
    const { messages } = await scene.storage.readContext(scene.sessionID)
    expect(JSON.stringify(messages)).not.toContain("Pushed.")
  })

  it("of a message's parts keeps what only pawl knows of them", async () => {
    const changed: unknown[] = []
    const hooks = {
      "experimental.chat.messages.transform": (
        _input: unknown,
        output: { messages: { parts: Record<string, unknown>[] }[] },
      ) => {
        for (const { parts } of output.messages) {
          for (const part of parts) {
            changed.push(part)
            const state = part["state"] as { output?: string } | undefined
            if (state?.output) state.output = "[pruned]"
          }
        }
      },
    }
    await using scene = await running({
      modules: { prunes: having(hooks) },
      tools: [bash],
      replies: calling(["bash", { a: 1 }]),
    })
    await scene.ask("Hi")
    expect(sentText(scene.model)).toContain("[pruned]")
    for (const part of changed)
      for (const own of ["changes", "measured", "prefix"]) expect(part).not.toHaveProperty(own)
  })

  it("of arguments and results is run and read", async () => {
    const hooks: Record<string, Hook> = {
      "tool.execute.before": (_input, output: { args: { command: string } }) => void (output.args.command = "safe"),
      "tool.execute.after": (_input, output: { output: string; title: string }) => {
        output.output += " and looked at"
        output.title = "Looked at"
      },
    }
    await using scene = await running({
      modules: { changes: having(hooks) },
      tools: [bash],
      replies: calling(["bash", { command: "rm" }]),
    })
    await scene.ask("Hi")
    expect(sentText(scene.model)).toContain('ran {\\"command\\":\\"safe\\"} and looked at')
  })

  it("of the environment reaches child processes", async () => {
    const shell = {
      ...bash,
      execute: async (_input: unknown, context: { env(): Promise<object> }) => ({
        title: "",
        output: JSON.stringify(await context.env()),
      }),
    }
    const hook = (_input: unknown, output: { env: Record<string, unknown> }) =>
      Object.assign(output.env, { PROBE: "yes", NOT: undefined })
    await using scene = await running({
      modules: { changes: having({ "shell.env": hook }) },
      tools: [shell],
      replies: calling(["bash", {}]),
    })
    await scene.ask("Hi")
    expect(sentText(scene.model)).toContain('\\"PROBE\\":\\"yes\\"')
  })

  it("is seen by the plugins behind", async () => {
    const first = (_input: unknown, output: { args: { n: number } }) => void (output.args.n = 2)
    const second = (_input: unknown, output: { args: { n: number } }) => void (output.args.n *= 10)
    const modules = {
      first: having({ "tool.execute.before": first }),
      second: having({ "tool.execute.before": second }),
    }
    await using scene = await running({ modules, tools: [bash], replies: calling(["bash", { n: 1 }]) })
    await scene.ask("Hi")
    expect(sentText(scene.model)).toContain('{\\"n\\":20}')
  })
})

describe("a result of an MCP server's tool", () => {
  const image = { type: "file" as const, mime: "image/png", url: "data:image/png;base64,AAAA" }
  const mcp = {
    ...bash,
    name: "my_files_list",
    execute: async () => ({
      ...{ title: "list", output: "secret", metadata: { server: "my files", tool: "list" }, attachments: [image] },
    }),
  }

  it.each([
    [
      "its content",
      (output: { content: { text: string }[] }) => Object.assign(output.content[0] ?? {}, { text: "hidden" }),
    ],
    ["its output", (output: { output: string }) => Object.assign(output, { output: "hidden" })],
    ["other content", (output: object) => Object.assign(output, { content: [{ type: "text", text: "hidden" }] })],
  ])("is shown as the server gave it, and may be changed by %s", async (_what, change) => {
    const seen: unknown[] = []
    const hook = (_input: unknown, output: never) => {
      seen.push(structuredClone(output))
      change(output)
    }
    const replies = calling(["my_files_list", {}])
    const modules = { p: having({ "tool.execute.after": hook }) }
    await using scene = await running({ modules, tools: [mcp], replies })
    await scene.ask("Hi")
    const files = { type: "image", mimeType: "image/png", data: "AAAA" }
    expect(seen).toMatchObject([{ content: [{ type: "text", text: "secret" }, files], output: "secret" }])
    expect(sentText(scene.model)).toContain("hidden")
    expect(sentText(scene.model)).not.toContain("secret")
  })
})

describe("a hook that throws", () => {
  it("before a call refuses it with its words", async () => {
    const hook = () => {
      throw new Error("Not on a Sunday.")
    }
    await using scene = await running({
      modules: { guards: having({ "tool.execute.before": hook }) },
      tools: [bash],
      replies: calling(["bash", {}]),
    })
    await scene.ask("Hi")
    expect(sentText(scene.model)).toContain("Not on a Sunday.")
    expect(sentText(scene.model)).not.toContain("ran {")
  })

  it("behind a call keeps its result from the model", async () => {
    const hook = async () => {
      throw new Error("It held a secret.")
    }
    await using scene = await running({
      modules: { guards: having({ "tool.execute.after": hook }) },
      tools: [bash],
      replies: calling(["bash", {}]),
    })
    await scene.ask("Hi")
    expect(sentText(scene.model)).toContain("It held a secret.")
    expect(sentText(scene.model)).not.toContain("ran {")
  })

  it("is not told of calls that failed", async () => {
    const told: string[] = []
    const failing = { ...bash, execute: async () => Promise.reject(new Error("broken")) }
    const hook = ({ tool }: { tool: string }) => void told.push(tool)
    await using scene = await running({
      modules: { watches: having({ "tool.execute.after": hook }) },
      tools: [failing],
      replies: calling(["bash", {}]),
    })
    await scene.ask("Hi")
    expect(told).toEqual([])
  })
})

describe("events", () => {
  const events = (
    handle: (event: { type: string; properties: Record<string, unknown> }) => unknown,
    options: Partial<RunningOptions> = {},
  ) => {
    return running({
      modules: { listens: having({ event: ({ event }: { event: never }) => handle(event) }) },
      ...options,
    })
  }

  it("come in order while handlers take their time, under OpenCode's names alone", async () => {
    const seen: string[] = []
    await using scene = await events(async ({ type }) => {
      seen.push(type)
      await new Promise(() => undefined)
    })
    await scene.ask("Hi")
    await expect.poll(() => seen.at(-1)).toBe("session.idle")
    const own = new Set([
      "cache.bust",
      "session.notice",
      "session.compacting",
      "plugin.error",
      "plugin.disabled",
      "storage.damaged",
    ])
    expect(seen.filter((type) => own.has(type))).toEqual([])
    expect(seen).toEqual(expect.arrayContaining(["session.created", "session.updated", "message.part.delta"]))
  })

  it.each([
    ["nothing", undefined],
    ["an object without words", Object.create(null)],
    [
      "an object that throws in turn",
      {
        toString() {
          throw new Error("No words.")
        },
      },
    ],
    ["what only looks like a promise", undefined, "thenable"],
  ])("whose handler throws %s escape nowhere", async (_what, thrown: unknown, way?: string) => {
    const escaped: unknown[] = []
    const note = (reason: unknown) => void escaped.push(reason)
    process.on("unhandledRejection", note)
    await using scene = await events(() => {
      // oxlint-disable-next-line unicorn/no-thenable -- some libraries have promises of their own
      if (way) return { then: (_: unknown, failed: (reason: unknown) => void) => failed(thrown) }
      throw thrown
    })
    expect((await scene.ask("Hi")).type).toBe("answered")
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", note)
    expect(escaped).toEqual([])
    expect(scene.events.filter(({ type }) => type === "session.notice")).toHaveLength(1)
  })

  it("whose handler fails are told once, and nothing escapes", async () => {
    const escaped: unknown[] = []
    const note = (reason: unknown) => void escaped.push(reason)
    process.on("unhandledRejection", note)
    await using scene = await events(async ({ type }) => {
      if (type === "message.updated") throw new Error("Cannot take it.")
    })
    await scene.ask("Hi")
    await scene.ask("Again")
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", note)
    expect(escaped).toEqual([])
    const notices = scene.events.filter(({ type }) => type === "session.notice")
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({ properties: { message: expect.stringContaining("Cannot take it.") } })
    expect(scene.events.filter(({ type }) => type === "plugin.disabled")).toEqual([])
  })

  it("lets a handler go on with the session that has become idle", async () => {
    let rounds = 0
    const module = {
      default: async ({ client }: { client: { session: { prompt(options: object): Promise<unknown> } } }) => ({
        async event({ event }: { event: { type: string; properties: { sessionID: string } } }) {
          if (event.type !== "session.idle" || rounds++ > 0) return
          const body = { parts: [{ type: "text", text: "Go on." }] }
          await client.session.prompt({ path: { id: event.properties.sessionID }, body })
        },
      }),
    }
    await using scene = await running({ modules: { goesOn: module } })
    await scene.ask("Hi")
    await expect.poll(() => scene.model.requests.length).toBe(2)
    await expect.poll(() => rounds).toBe(2)
    expect(sentText(scene.model)).toContain("Go on.")
  })

  it("tell of what plugins have shown", async () => {
    const seen: unknown[] = []
    const module = {
      default: async ({ client }: { client: OpenCodeClient }) => {
        queueMicrotask(() => void client.tui.showToast({ body: { message: "Look", variant: "info" } }))
        return {
          event: ({ event }: { event: { type: string; properties: object } }) =>
            void seen.push([event.type, event.properties]),
        }
      },
    }
    await using scene = await running({ modules: { module } })
    await expect.poll(() => scene.toasts).toEqual([{ message: "Look", variant: "info" }])
    expect(seen).toContainEqual(["tui.toast.show", { message: "Look", variant: "info" }])
  })

  it("tell of permissions, files and tasks as OpenCode does", async () => {
    const seen = new Map<string, Record<string, unknown>>()
    const tool = {
      ...{ name: "edit", description: "", inputSchema: { type: "object" }, effect: "unsafe" as const },
      parse: (input: unknown) => input,
      async execute(
        _input: unknown,
        context: {
          files: {
            before(path: string, bytes: undefined): Promise<void>
            after(path: string, bytes: Uint8Array): Promise<void>
          }
        },
      ) {
        await context.files.before("/x/new.txt", undefined)
        await context.files.after("/x/new.txt", new Uint8Array([1]))
        return { title: "", output: "ok" }
      },
    }
    const todowrite = { ...bash, name: "todowrite" }
    const permission: PermissionScope[] = [{ name: "t", rules: [{ permission: "edit", pattern: "*", action: "ask" }] }]
    await using scene = await events(({ type, properties }) => void seen.set(type, properties), {
      ...{ tools: [tool, todowrite], permission, ask: async () => "once" as const },
      replies: calling(["edit", {}], ["todowrite", { todos: [{ content: "a", status: "pending" }] }]),
    })
    const { sessionID } = scene
    await scene.ask("Hi")
    await expect.poll(() => seen.has("session.idle")).toBe(true)
    expect(seen.get("permission.asked")).toEqual({
      ...{
        id: expect.any(String),
        sessionID,
        permission: "edit",
        patterns: ["*"],
        always: expect.any(Array),
        metadata: {},
      },
      tool: { messageID: expect.any(String), callID: "call_1" },
    })
    expect(seen.get("permission.replied")).toEqual({ sessionID, requestID: expect.any(String), reply: "once" })
    expect(seen.get("file.edited")).toEqual({ file: "/x/new.txt" })
    expect(seen.get("file.watcher.updated")).toEqual({ file: "/x/new.txt", event: "change" })
    expect(seen.get("todo.updated")).toEqual({
      sessionID,
      todos: [{ content: "a", status: "pending", priority: "medium", id: "1" }],
    })
    expect(seen.get("session.idle")).toEqual({ sessionID })
  })
})

describe("other hooks", () => {
  it("answer permissions that rules would have asked for", async () => {
    const seen: Record<string, unknown>[] = []
    const hook = (input: Record<string, unknown>, output: { status: string }) => {
      seen.push(input)
      output.status = "deny"
    }
    const permission: PermissionScope[] = [{ name: "t", rules: [{ permission: "bash", pattern: "*", action: "ask" }] }]
    await using scene = await running({
      modules: { p: having({ "permission.ask": hook }) },
      tools: [bash],
      permission,
      replies: calling(["bash", {}]),
    })
    await scene.ask("Hi")
    expect(seen).toMatchObject([
      { type: "bash", permission: "bash", pattern: ["*"], patterns: ["*"], callID: "call_1", title: "bash: *" },
    ])
    expect(sentText(scene.model)).toContain("A plugin denies bash")
  })

  it("change what a command has made", async () => {
    const seen: unknown[] = []
    const hook = (input: unknown, output: { parts: object[] }) => {
      seen.push(input, structuredClone(output))
      output.parts = [
        { type: "text", text: "In its place.", id: "any", extra: 1 },
        { type: "video" },
        "nothing",
      ] as never
    }
    const config = { command: { hail: { template: "Hail $ARGUMENTS" } } }
    await using scene = await running({ modules: { p: having({ "command.execute.before": hook }) }, config })
    const { sessionID } = scene
    await scene.client.session.command({ path: { id: sessionID }, body: { command: "hail", arguments: "Ada" } })
    expect(seen).toEqual([
      { command: "hail", sessionID, arguments: "Ada" },
      { parts: [{ type: "text", text: "Hail Ada" }] },
    ])
    expect(sentText(scene.model)).toContain("In its place.")
    expect(sentText(scene.model)).not.toContain("Hail Ada")
  })

  it("say what a summary is to hold, and whether the agent goes on", async () => {
    const seen: unknown[] = []
    const compacting = (input: unknown, output: { context: string[]; prompt?: string }) => {
      seen.push(input, structuredClone(output))
      output.context.push("Mind the boats.")
    }
    await using scene = await running({ modules: { p: having({ "experimental.session.compacting": compacting }) } })
    for (const words of ["One", "Two", "Three"]) await scene.ask(`${words} ${"More of it. ".repeat(200)}`)
    await scene.engine.compact(scene.sessionID)
    expect(seen).toEqual([{ sessionID: scene.sessionID }, { context: [], prompt: undefined }])
    expect(sentText(scene.model)).toContain("Mind the boats.")
  })

  it("choose the model that names a session, of its provider's", async () => {
    const seen: unknown[] = []
    const onSmallModel = (
      { provider }: { provider: { id: string; models: Record<string, object> } },
      output: { model?: object | undefined },
    ) => {
      seen.push(provider.id, structuredClone(output))
      output.model = provider.models["scripted"]
    }
    const replies = [
      [text("Done."), finish("stop")],
      [text("About boats"), finish("stop")],
    ]
    await using scene = await running({
      modules: { p: having({ "experimental.provider.small_model": onSmallModel }) },
      replies,
    })
    await scene.ask("Boats?")
    await expect.poll(async () => (await scene.engine.getSession(scene.sessionID)).title).toBe("About boats")
    expect(seen).toEqual(["replay", { model: undefined }])
  })

  it.each(["scripted", { id: "scripted" }, null])("that leave %j as a model are reported", async (model) => {
    const onSmallModel = (_input: unknown, output: { model: unknown }) => void (output.model = model)
    await using scene = await running({
      modules: { p: having({ "experimental.provider.small_model": onSmallModel }) },
    })
    await scene.ask("Boats?")
    const problems = () => scene.events.flatMap((event) => (event.type === "plugin.error" ? event.properties : []))
    await expect.poll(problems).toMatchObject([{ plugin: "p", hook: "provider.small_model" }])
    expect(scene.model.requests).toHaveLength(1)
  })

  it("are told when it is over", async () => {
    const told: string[] = []
    const module = having({ dispose: async () => void told.push("disposed") })
    const scene = await running({ modules: { module }, tools: [taskTool([])] })
    await scene[Symbol.asyncDispose]()
    expect(told).toEqual(["disposed"])
  })
})

describe("what hooks are told of a model", () => {
  it("is asked for again where its provider could not tell it", async () => {
    const contexts: number[] = []
    const onParams = ({ model }: { model: { limit: { context: number } } }) => void contexts.push(model.limit.context)
    let isThere = false
    const info = {
      ...{ id: "scripted", name: "Scripted", limit: { context: 9000, output: 100 } },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      capabilities: { reasoning: false, attachment: false, toolCall: true },
    }
    const provider: Provider = {
      ...{ id: "replay", name: "Replay" },
      models: async () => {
        if (!isThere) throw new Error("It is not reached.")
        return [info]
      },
      model: async () => {
        throw new Error("It is not called.")
      },
    }
    await using scene = await running({
      modules: { asks: having({ "chat.params": onParams }) },
      host: { providers: () => [provider] },
    })
    await scene.ask("Hi")
    isThere = true
    await scene.ask("Again")
    expect([contexts[0], contexts.at(-1)]).toEqual([0, 9000])
  })
})

describe("a refusal behind a call", () => {
  it("that has no words keeps the result from the model all the same", async () => {
    const onAfter = () => {
      throw Object.create(null)
    }
    await using scene = await running({
      modules: { refuses: having({ "tool.execute.after": onAfter }) },
      ...{ tools: [bash], replies: calling(["bash", { command: "secret" }]) },
    })
    await scene.ask("Hi")
    expect(sentText(scene.model)).not.toContain("ran {")
  })
})
