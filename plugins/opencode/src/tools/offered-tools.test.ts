import type { PermissionScope } from "@pawl/core/permission"
import { call, finish, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { running, type RunningOptions, sentText } from "../../test/running.ts"
import { tool } from "../modules/plugin.ts"
import { readArguments } from "./tool-arguments.ts"

type Context = Record<string, unknown> & {
  readonly abort: AbortSignal
  ask(request: object): Promise<void>
  metadata(update: object): void
}

/** What a plugin's tools `offered` made of these calls. */
function calling(
  offered: object,
  calls: readonly (readonly [string, object])[],
  options: Partial<RunningOptions> = {},
) {
  const replies = [
    [...calls.map(([name, input]) => call(name, input as never)), finish("tool-calls")],
    [text("Done."), finish("stop")],
  ]
  return running({ modules: { tools: { default: async () => ({ tool: offered }) } }, replies, ...options })
}

describe("a tool whose schemas tell themselves what they are", () => {
  it("is offered, and one that cannot be told does not keep the others back", async () => {
    const mode = tool.schema.enum(["fast", "slow"]).describe("How")
    const broken = tool.schema.string().describe("What")
    mode._zod.toJSONSchema = () => ({ type: "string", enum: ["fast", "slow"], description: "How" })
    broken._zod.toJSONSchema = () => {
      throw new Error("It cannot be told.")
    }
    const run = {
      description: "Runs.",
      args: { mode, broken, count: tool.schema.number() },
      execute: async () => "ran",
    }
    await using scene = await calling({ run }, [["run", { mode: "fast", broken: "x", count: 1 }]])
    await scene.ask("Run")
    expect(scene.model.requests[0]?.tools[0]?.inputSchema).toMatchObject({
      properties: { mode: { type: "string", enum: ["fast", "slow"] }, broken: {}, count: { type: "number" } },
      required: ["mode", "broken", "count"],
    })
    expect(sentText(scene.model)).toContain("ran")
    expect(scene.events.filter(({ type }) => type === "plugin.error")).toEqual([])
  })
})

describe("a tool", () => {
  it("is offered with the schema of its arguments, and gets them as the model wrote them", async () => {
    const given: unknown[] = []
    const paint = tool({
      description: "Paints.",
      args: {
        colour: tool.schema.string().describe("Which"),
        coats: tool.schema.coerce.number().default(2),
        where: tool.schema.object({ wall: tool.schema.enum(["north", "south"]) }).optional(),
      },
      async execute(args: object, context: Context) {
        given.push(args, context)
        return "Painted."
      },
    })
    await using scene = await calling({ paint }, [["paint", { colour: "red", coats: "3", more: 1 }]])
    await scene.ask("Paint")
    const [definition] = scene.model.requests[0]?.tools ?? []
    expect(definition).toMatchObject({
      ...{ name: "paint", description: "Paints." },
      inputSchema: {
        ...{ type: "object", required: ["colour"], additionalProperties: false },
        properties: {
          colour: { type: "string", description: "Which" },
          coats: { default: 2 },
          where: { type: "object" },
        },
      },
    })
    const [args, context] = given as [object, Context]
    expect(args).toEqual({ colour: "red", coats: "3", more: 1 })
    expect(context).toMatchObject({
      ...{
        sessionID: scene.sessionID,
        callID: "call_1",
        agent: "build",
        directory: scene.directory,
        worktree: scene.directory,
      },
      ...{ messageID: expect.stringMatching(/^msg_/), abort: expect.any(AbortSignal), messages: [], extra: {} },
    })
    expect(sentText(scene.model)).toContain("Painted.")
  })

  it("is not run with arguments that do not fit: the model reads why", async () => {
    let runs = 0
    const dig = { description: "", args: { depth: z.number().max(3) }, execute: async () => `${++runs}` }
    await using scene = await calling({ dig }, [["dig", { depth: 9 }]])
    await scene.ask("Dig")
    expect(runs).toBe(0)
    expect(sentText(scene.model)).toMatch(/The dig tool was called with invalid arguments: depth: .*Please rewrite/)
  })

  it("may be described by plain JSON schemas, which are not checked, or by nothing", async () => {
    const given: unknown[] = []
    const execute = async (args: unknown) => void given.push(args)
    const offered = {
      plain: { description: "", args: { a: { type: "string" }, b: { type: "number" } }, execute },
      none: { description: "", execute },
      whole: { description: "", args: z.object({ c: z.string() }), execute },
    }
    await using scene = await calling(offered, [
      ["plain", { a: 5 }],
      ["none", {}],
      ["whole", { c: "x" }],
    ])
    await scene.ask("Go")
    const schemas = Object.fromEntries(
      (scene.model.requests[0]?.tools ?? []).map((each) => [each.name, each.inputSchema]),
    )
    expect(schemas["plain"]).toMatchObject({
      required: ["a", "b"],
      properties: { a: { type: "string" }, b: { type: "number" } },
    })
    expect(schemas["none"]).toMatchObject({ type: "object", properties: {}, required: [] })
    expect(schemas["whole"]).toMatchObject({ required: ["c"], properties: { c: { type: "string" } } })
    expect(given).toEqual([{ a: 5 }, {}, { c: "x" }])
  })

  it("may give an object, with what it has told meanwhile", async () => {
    const url = "data:image/png;base64,iVBORw0KGgo="
    const offered = {
      full: {
        description: "",
        args: {},
        execute: async () => ({
          ...{ title: "Titled", output: "All of it", metadata: { n: 1, f: () => 1 } },
          attachments: [{ type: "file", mime: "image/png", url, filename: "a.png" }, { nonsense: true }],
        }),
      },
      told: {
        description: "",
        args: {},
        async execute(_args: unknown, context: Context) {
          context.metadata({ title: "Half way", metadata: { half: true } })
          return { some: "object" }
        },
      },
    }
    await using scene = await calling(offered, [
      ["full", {}],
      ["told", {}],
    ])
    await scene.ask("Go")
    const { messages } = await scene.storage.readContext(scene.sessionID)
    const states = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
    expect(states).toMatchObject([
      {
        title: "Titled",
        output: "All of it",
        metadata: { n: 1 },
        attachments: [{ mime: "image/png", url, filename: "a.png" }],
      },
      { title: "Half way", output: '{"some":"object"}', metadata: { half: true } },
    ])
  })

  it("may ask for what it turns out to need, and takes the place of a built-in one", async () => {
    const read = {
      description: "Reads in its own way.",
      args: {},
      async execute(_args: unknown, context: Context) {
        await context.ask({ permission: "vault", patterns: ["gold"], always: ["*"], metadata: { a: 1 } })
        return "opened"
      },
    }
    const permission: PermissionScope[] = [{ name: "t", rules: [{ permission: "vault", pattern: "*", action: "ask" }] }]
    const builtin = {
      ...{ name: "read", description: "Built in.", inputSchema: { type: "object" }, effect: "pure" as const },
      parse: (input: unknown) => input,
      execute: async () => ({ title: "", output: "built in" }),
    }
    for (const [reply, words] of [
      ["once", "opened"],
      ["reject", "refused"],
    ] as const) {
      const asked: unknown[] = []
      await using scene = await calling({ read }, [["read", {}]], {
        ...{ permission, tools: [builtin] },
        ask: async (request) => {
          asked.push(request)
          return { reply, message: "refused indeed" }
        },
      })
      await scene.ask("Open")
      expect(asked).toMatchObject([{ permission: "vault", patterns: ["gold"], metadata: { a: 1 } }])
      expect(sentText(scene.model)).toContain(words)
      expect(scene.model.requests[0]?.tools).toMatchObject([{ description: "Reads in its own way." }])
    }
  })

  it("is told when nobody waits any more", async () => {
    let begun: () => void = () => undefined
    const hasBegun = new Promise<void>((resolve) => (begun = resolve))
    let isTold = false
    const slow = {
      description: "",
      args: {},
      execute: (_args: unknown, { abort }: Context) =>
        new Promise((resolve) => {
          abort.addEventListener("abort", () => resolve((isTold = true)))
          begun()
        }),
    }
    await using scene = await calling({ slow }, [["slow", {}]])
    const run = scene.ask("Go")
    await hasBegun
    await scene.engine.abort(scene.sessionID)
    expect((await run).type).toBe("aborted")
    expect(isTold).toBe(true)
  })

  it("that throws tells the model why", async () => {
    const bad = { description: "", args: {}, execute: async () => Promise.reject(new Error("No paint left.")) }
    await using scene = await calling({ bad, nothing: undefined, half: { description: "x" } }, [["bad", {}]])
    await scene.ask("Go")
    expect(sentText(scene.model)).toContain("No paint left.")
    expect(scene.model.requests[0]?.tools.map(({ name }) => name)).toEqual(["bad"])
  })
})

describe("arguments", () => {
  it("of another library that checks are checked, and named", () => {
    const old = {
      description: "A word",
      safeParse: (value: unknown) => {
        return typeof value === "string"
          ? { success: true }
          : { success: false, error: { issues: [{ message: "no word", path: ["x"] }] } }
      },
    }
    const args = readArguments({ word: old })
    expect(args.inputSchema).toMatchObject({ properties: { word: { description: "A word" } }, required: ["word"] })
    expect(args.problem({ word: "yes" })).toBeUndefined()
    expect(args.problem({})).toBe("word: x: no word.")
    expect(args.problem("text")).toBe("it wants an object.")
  })
})
