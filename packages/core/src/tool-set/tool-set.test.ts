import { describe, expect, it } from "vitest"
import { defaultDeadlines } from "../base/deadlines.ts"
import { loadHooks, toolScope } from "../../test/load-hooks.ts"
import type { PluginHooks } from "../hooks/plugin.ts"
import { createToolSet, withoutTools } from "./tool-set.ts"
import { defineTool, type Tool, type ToolContext } from "../contracts/tool.ts"

const tool = (name: string, description = `Of ${name}.`): Tool =>
  defineTool({
    name,
    description,
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
    effect: "pure",
    parse: (input) => input,
    execute: async () => ({ title: name, output: "" }),
  })

async function toolSet(tools: Tool[], ...plugins: PluginHooks[]) {
  const failures: string[] = []
  const entries = plugins.map((hooks, n) => ({ id: `plugin-${n}`, plugin: () => hooks }))
  const hooks = await loadHooks(entries, defaultDeadlines, {
    failed: ({ message }) => void failures.push(message),
    disabled: () => expect.fail("a plugin was disabled"),
  })
  return { set: await createToolSet(hooks, tools, toolScope()), failures }
}
const names = (set: { definitions: readonly { name: string }[] }) => set.definitions.map(({ name }) => name)

it("offers tools by name in one order, however they are given", async () => {
  const given = ["write", "bash", "Read", "read-2", "read_1", "a"].map((name) => tool(name))
  const { set } = await toolSet(given)
  const { set: reversed } = await toolSet(given.toReversed())

  expect(names(set)).toEqual(["Read", "a", "bash", "read-2", "read_1", "write"])
  expect(JSON.stringify(reversed.definitions)).toBe(JSON.stringify(set.definitions))
})

it("offers name, description and input of a tool, nothing else", async () => {
  const { set } = await toolSet([tool("read")])
  const { name, description, inputSchema } = tool("read")
  expect(set.definitions).toEqual([{ name, description, inputSchema }])
})

describe("of several tools of one name", () => {
  it("the last one counts, a plugin's before a built-in one", async () => {
    const builtIn = [tool("read", "First."), tool("read", "Second.")]
    const offering = (description: string): PluginHooks => ({ tool: { read: tool("ignored", description) } })
    const descriptionOf = async (...plugins: PluginHooks[]) => {
      const { set } = await toolSet(builtIn, ...plugins)
      return [names(set), set.find("read")?.name, set.find("read")?.description, set.definitions[0]?.description]
    }

    expect(await descriptionOf()).toEqual([["read"], "read", "Second.", "Second."])
    expect(await descriptionOf(offering("A plugin's."))).toEqual([["read"], "read", "A plugin's.", "A plugin's."])
    expect(await descriptionOf(offering("A."), offering("B."))).toEqual([["read"], "read", "B.", "B."])
  })
})

describe("finding", () => {
  it("a tool that a model wrote in capitals gives the tool", async () => {
    const { set } = await toolSet([tool("read"), tool("Write")])
    expect(set.find("read")?.name).toBe("read")
    expect(set.find("READ")?.name).toBe("read")
    expect(set.find("Write")?.name).toBe("Write")
  })

  it.each(["", "reader", "rea", "constructor", "__proto__", "toString"])("%j gives nothing", async (name) => {
    const { set } = await toolSet([tool("read")])
    expect(set.find(name)).toBeUndefined()
  })
})

describe("a plugin", () => {
  it("may say more of a tool, without changing the tool", async () => {
    const given = tool("read")
    const { set } = await toolSet([given], {
      "tool.definition": ({ toolID }, output) => {
        output.description += ` (${toolID})`
        output.inputSchema["additionalProperties"] = false
      },
    })
    expect(set.definitions).toMatchObject([
      { name: "read", description: "Of read. (read)", inputSchema: { additionalProperties: false } },
    ])
    expect(given).toMatchObject({ description: "Of read.", inputSchema: tool("read").inputSchema })
    expect(given.inputSchema).not.toHaveProperty("additionalProperties")
  })

  it("that fails leaves a tool as it was", async () => {
    const { set, failures } = await toolSet([tool("read")], {
      "tool.definition": (_input, output) => {
        output.description = "Half done."
        throw new Error("broken")
      },
    })
    expect(set.definitions[0]?.description).toBe("Of read.")
    expect(failures).toEqual(['Plugin "plugin-0" failed in hook "tool.definition": broken'])
  })
})

it("offers a plugin's tool that is an instance of a class, with what it inherits", async () => {
  class Reader {
    readonly inputSchema = { type: "object" }
    readonly effect = "pure"
    readonly #output = "kept to itself"
    get description() {
      return "Of a class."
    }
    parse(input: unknown) {
      return input
    }
    permissions() {
      return [{ permission: "read", patterns: [this.#output] }]
    }
    async execute() {
      return { title: "", output: this.#output }
    }
  }
  const { set } = await toolSet([], { tool: { read: new Reader() } })
  const found = set.find("read")

  expect(set.definitions).toMatchObject([{ name: "read", description: "Of a class." }])
  expect(found?.parse("input")).toBe("input")
  expect(await found?.permissions?.("input", { directory: "/", worktree: "/" })).toMatchObject([
    { patterns: ["kept to itself"] },
  ])
  expect(await found?.execute("input", {} as ToolContext)).toMatchObject({ output: "kept to itself" })
})

it.each(["my tool", "größe", "a.b", "", "x".repeat(65)])(
  "leaves out a plugin's tool that is called %j, which providers would refuse, and says so",
  async (name) => {
    const { set, failures } = await toolSet([tool("read")], { tool: { [name]: tool(name), good: tool("good") } })
    expect(names(set)).toEqual(["good", "read"])
    expect(set.find(name)).toBeUndefined()
    expect(failures).toEqual([
      `Plugin "plugin-0" failed in hook "tool": "${name}" cannot be offered as a tool: rename it to at most 64 letters, digits, "_" and "-".`,
    ])
  },
)

describe("what a plugin gives in the place of a tool", () => {
  it.each<undefined | null | false>([undefined, null, false])("is passed over when it is %j", async (absent) => {
    const { set, failures } = await toolSet([tool("read")], {
      tool: { read: absent, maybe: absent, good: tool("good") },
    })
    expect(names(set)).toEqual(["good", "read"])
    expect(set.find("maybe")).toBeUndefined()
    expect(failures).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ["true", true, "give an object instead of true"],
    ["a function", () => {}, "give an object instead of a function"],
    ["a list", [tool("a")], "give an object instead of a list"],
    ["without parse", { ...tool("bad"), parse: undefined }, "give it a function `parse`"],
    ["without execute", { ...tool("bad"), execute: "run" }, "give it a function `execute`"],
    ["without a description", { ...tool("bad"), description: undefined }, "give it a `description`"],
    ["without an input", { ...tool("bad"), inputSchema: undefined }, "give it an `inputSchema`"],
    [
      "with another effect",
      { ...tool("bad"), effect: "none" },
      'set its `effect` to "pure", "idempotent" or "unsafe" instead of "none"',
    ],
    ["with null for its input", { ...tool("bad"), inputSchema: null }, "give it an `inputSchema`"],
    [
      "that cannot be read",
      {
        get execute() {
          throw new Error("broken")
        },
      },
      "reading it failed (broken)",
    ],
  ])("is reported and left out when it is one %s", async (_what, bad, step) => {
    const given = { tool: { bad, good: tool("good") } } as unknown as PluginHooks
    const { set, failures } = await toolSet([tool("read")], given)
    expect(names(set)).toEqual(["good", "read"])
    expect(set.find("bad")).toBeUndefined()
    expect(failures).toEqual([`Plugin "plugin-0" failed in hook "tool": "bad" cannot be offered as a tool: ${step}.`])
  })

  it("is unsafe unless it says otherwise", async () => {
    const { set, failures } = await toolSet([], { tool: { plain: { ...tool("plain"), effect: undefined } } } as never)
    expect([set.find("plain")?.effect, failures]).toEqual(["unsafe", []])
  })

  it.each<[string, unknown]>([
    ['"read"', "read"],
    ["7", 7],
    ["true", true],
    ["a list", [tool("read")]],
  ])("is reported when all of it is %s", async (what, all) => {
    const { set, failures } = await toolSet([tool("read")], { tool: all } as unknown as PluginHooks)
    expect(names(set)).toEqual(["read"])
    expect(failures).toEqual([
      `Plugin "plugin-0" failed in hook "tool": "tool" cannot be read: give an object of tools by name instead of ${what}.`,
    ])
  })
})

it("is not waited for once the signal aborts", async () => {
  const controller = new AbortController()
  const plugin: PluginHooks = { "tool.definition": () => new Promise(() => controller.abort(new Error("stopped"))) }
  const hooks = await loadHooks([{ id: "deaf", plugin: () => plugin }], defaultDeadlines, {
    failed: ({ message }) => expect.fail(message),
    disabled: () => expect.fail("a plugin was disabled"),
  })
  await expect(createToolSet(hooks, [tool("read")], toolScope({ signal: controller.signal }))).rejects.toThrow(
    "stopped",
  )
})

describe("a set without some tools", () => {
  it("neither offers nor finds what is switched off", async () => {
    const { set } = await toolSet([tool("read"), tool("write"), tool("bash")])
    const less = withoutTools(set, { write: false, bash: true, unknown: false })

    expect(names(less)).toEqual(["bash", "read"])
    expect(["write", "WRITE", "bash", "read"].map((name) => less.find(name)?.name)).toEqual([
      ...[undefined, undefined, "bash", "read"],
    ])
    expect(names(set)).toEqual(["bash", "read", "write"])
  })
})
