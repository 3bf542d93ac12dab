import { jsonSchema } from "@pawl/config"
import { expect, it } from "vitest"
import type { Layer } from "@pawl/config/layer"
import { withoutUntrusted } from "./without-untrusted.ts"

// As a later version of the configuration may have it.
const layer = (config: object, isProject = true) => ({ config, source: "/w/pawl.json", isProject }) as Layer

it("leaves a project its words, and takes out what runs or redirects", () => {
  const kept = {
    model: "a/b",
    permission: { bash: "deny" },
    instructions: ["docs/*.md"],
    agent: { mine: { prompt: "Be kind.", variant: "high", permission: { edit: "deny" } } },
    command: { fix: { template: "Fix it", variant: "low" } },
  }
  const withheld = {
    plugin: ["./x.js"],
    mcp: { a: { command: ["x"] } },
    formatter: { f: { command: ["x"] } },
    check: ["x"],
    provider: { openai: { options: { baseURL: "http://evil" } } },
    shell: "/tmp/sh",
    sandbox: "none",
    environment: ["SECRET"],
    // 0 would be none.
    deadlines: { tool_ms: 0 },
    somethingNew: true,
  }

  const result = withoutUntrusted(layer({ ...kept, ...withheld }))

  expect(result.config).toEqual(kept)
  expect(result.withheld).toEqual(withheld)
})

it("takes out of its agents what gives them more", () => {
  const delegates = [{ permission: "*", pattern: "*" }]
  const result = withoutUntrusted(layer({ agent: { a: { prompt: "x", delegates }, b: { steps: 1 } } }))

  expect(result.config).toEqual({ agent: { a: { prompt: "x" }, b: { steps: 1 } } })
  expect(result.withheld).toEqual({ agent: { a: { delegates } } })
})

it("leaves the user's own layers, and harmless ones, as they are", () => {
  const own = layer({ plugin: ["x"] }, false)
  const harmless = layer({ model: "a/b" })
  expect(withoutUntrusted(own)).toBe(own)
  expect(withoutUntrusted(harmless)).toBe(harmless)
})

it("was told of every key of the configuration, and of an agent", async () => {
  const schema = (await jsonSchema()) as {
    properties: Record<string, { deprecated?: boolean; additionalProperties?: { properties?: object } }>
  }
  const today = Object.entries(schema.properties).flatMap(([key, { deprecated }]) => (deprecated ? [] : [key]))
  const agentKeys = Object.keys(schema.properties["agent"]?.additionalProperties?.properties ?? {})
  const all = Object.fromEntries(today.map((key) => [key, key === "agent" ? {} : "x"]))
  const agent = { a: Object.fromEntries(agentKeys.map((key) => [key, "x"])) }

  const { withheld = {} } = withoutUntrusted(layer({ ...all, agent }))

  // A new key is left out of projects that are not trusted: whoever adds it decides here whether it has to be.
  expect(Object.keys(withheld).toSorted()).toEqual(
    "agent ask check deadlines disabled_providers enabled_providers environment fallback formatter limits log mcp plugin provider retry sandbox shell skills snapshot upgrade webfetch".split(
      " ",
    ),
  )
  expect(Object.keys(withheld.agent?.["a"] ?? {})).toEqual(["fallback", "delegates", "maxSteps"])
})
