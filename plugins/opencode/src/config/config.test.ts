import { describe, expect, it } from "vitest"
import { running } from "../../test/running.ts"

type Config = Record<string, Record<string, unknown>>

/** Returns a configuration after a plugin has changed it, and the messages for the user. */
async function changed(config: object, change: (config: Config) => unknown) {
  const module = { default: async () => ({ config: change }) }
  await using scene = await running({ modules: { module }, config: config as never })
  const notices = scene.events.flatMap((event) => (event.type === "session.notice" ? [event.properties.message] : []))
  const errors = scene.events.filter(({ type }) => type === "plugin.error")
  return { config: scene.config, notices, errors }
}

describe("a configuration", () => {
  it("is changed in OpenCode's shape, and pawl's own settings stay", async () => {
    const written = {
      ...{ storage: "memory:", limits: { steps: 5 }, permission: "ask", compaction: { soft: 0.5 } },
      agent: { build: { steps: 9, delegates: [{ permission: "bash", pattern: "*" }] } },
    }
    let seen: unknown
    const { config, notices } = await changed(written, (given) => {
      seen = structuredClone(given)
      given["agent"] = {
        ...given["agent"],
        scout: { description: "Looks", prompt: "Look.", mode: "subagent", model: "a/b" },
      }
      given["command"] = { scan: { name: "scan", template: "Scan $ARGUMENTS", subtask: true } }
      given["mcp"] = { files: { type: "local", command: ["files"] } }
      given["permission"] = { ...given["permission"], edit: "deny" }
      given["compaction"] = { auto: false }
      given["model"] = "a/b" as never
    })
    expect(seen).toEqual({ permission: { "*": "ask" }, compaction: {}, agent: { build: { steps: 9 } } })
    expect(config).toEqual({
      ...{ storage: "memory:", limits: { steps: 5 }, permission: { "*": "ask", edit: "deny" }, model: "a/b" },
      compaction: { soft: 0.5, auto: false },
      agent: {
        build: { steps: 9, delegates: [{ permission: "bash", pattern: "*" }] },
        scout: { description: "Looks", prompt: "Look.", mode: "subagent", model: "a/b" },
      },
      command: { scan: { template: "Scan $ARGUMENTS", subtask: true } },
      mcp: { files: { type: "local", command: ["files"] } },
    })
    expect(notices).toEqual([])
  })

  it("may be changed in OpenCode's older words", async () => {
    const { config } = await changed({ permission: { bash: "ask" } }, (given) => {
      given["tools"] = { write: false, bash: true }
      given["mode"] = { careful: { prompt: "Mind." } }
      given["agent"] = { plan: { maxSteps: 4, tools: { edit: false, read: true }, permission: { read: "ask" } } }
    })
    expect(config).toEqual({
      permission: { edit: "deny", bash: "ask" },
      agent: {
        plan: { steps: 4, permission: { edit: "deny", read: "ask" } },
        careful: { mode: "primary", prompt: "Mind." },
      },
    })
  })

  it("tells of what pawl does not know, and leaves it out", async () => {
    const { config, notices } = await changed({}, (given) => {
      given["theme"] = "dark" as never
      given["agent"] = { a: { prompt: "A.", variant: "high", temperature: "hot", nothing: null } }
      given["command"] = { c: { template: "C.", variant: "x" }, d: { description: "no template" } }
    })
    expect(config).toEqual({
      agent: { a: { prompt: "A.", variant: "high" } },
      command: { c: { template: "C.", variant: "x" } },
    })
    expect(notices).toEqual([expect.stringContaining("theme, agent.a.temperature, command.d.template")])
  })

  it("may lose what a plugin takes away", async () => {
    const { config } = await changed({ model: "a/b", command: { x: { template: "X" } }, data: "/d" }, (given) => {
      delete given["model"]
      delete given["command"]?.["x"]
    })
    expect(config).toEqual({ command: {}, data: "/d" })
  })

  it("stays as it was where a plugin fails over it", async () => {
    const { config, errors } = await changed({ model: "a/b" }, () => {
      throw new Error("no")
    })
    expect(config).toEqual({ model: "a/b" })
    expect(errors).toMatchObject([{ properties: { hook: "config", message: expect.stringContaining("no") } }])
  })
})
