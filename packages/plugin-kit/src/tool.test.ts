import { describe, expect, it } from "vitest"
import { call, finish, testPlugin, text } from "./testing/index.ts"
import { definePlugin, tool, z } from "./index.ts"

const greet = tool({
  description: "Greets somebody.",
  args: { name: z.string().min(1).describe("Who is greeted"), times: z.number().int().default(1) },
  effect: "pure",
  execute: ({ name, times }) => `Hello, ${name}!`.repeat(times),
})

const plugin = definePlugin(() => ({ tool: { greet } }))
const goodbye = [text("Done."), finish("stop")]

describe("a tool", () => {
  it("tells the model of its arguments", () => {
    expect(greet.inputSchema).toEqual({
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, description: "Who is greeted" },
        times: { type: "integer", default: 1, minimum: expect.any(Number), maximum: expect.any(Number) },
      },
      required: ["name"],
      additionalProperties: false,
    })
  })

  it("runs with what its schemas made of the arguments", async () => {
    await using test = await testPlugin(plugin, { replies: [[call("greet", { name: "Ada" })], goodbye] })

    await test.ask("Greet Ada")

    expect(await test.calls("greet")).toMatchObject([{ state: { status: "completed", output: "Hello, Ada!" } }])
    expect(test.requests[0]?.tools.map(({ name }) => name)).toContain("greet")
  })

  it.each([
    [{}, /name/],
    [{ name: "" }, /name/],
    [{ name: "Ada", time: 2 }, /time/],
    [{ name: "Ada", times: 1.5 }, /times/],
    ["no object", /object/],
  ])("is not run with %j: the model reads why", async (input, reason) => {
    let runs = 0
    const counted = tool({
      ...{ description: "Counts.", args: { name: z.string().min(1), times: z.number().int().default(1) } },
      execute: () => `${++runs}`,
    })
    await using test = await testPlugin(
      definePlugin(() => ({ tool: { counted } })),
      { replies: [[call("counted", input)], goodbye] },
    )

    await test.ask("Go")

    expect(await test.calls("counted")).toMatchObject([
      { state: { status: "error", error: expect.stringMatching(reason) } },
    ])
    expect(runs).toBe(0)
  })

  it("is asked what it needs with its checked arguments", async () => {
    const open = tool({
      ...{ description: "Opens.", args: { door: z.string() } },
      permissions: ({ door }) => [{ permission: "open", patterns: [door] }],
      execute: ({ door }) => ({ title: door, output: "open" }),
    })
    await using test = await testPlugin(
      definePlugin(() => ({ tool: { open } })),
      {
        replies: [[call("open", { door: "front" }), call("open", { door: "cellar" })], goodbye],
        permission: [
          { permission: "open", pattern: "*", action: "allow" },
          { permission: "open", pattern: "cellar", action: "deny" },
        ],
      },
    )

    await test.ask("Open the doors")

    expect((await test.calls("open")).map(({ state }) => state.status)).toEqual(["completed", "error"])
  })

  it("with a schema that no model can be told of is refused when it is defined", () => {
    expect(() => tool({ description: "x", args: { at: z.date() }, execute: () => "" })).toThrow(/"args".*Date/i)
  })
})
