import type { AuthContribution, ProviderContribution } from "@pawl/core/plugin"
import { describe, expect, it } from "vitest"
import { running } from "../../test/running.ts"

const auth = {
  provider: "acme",
  async loader(stored: () => Promise<{ key: string }>, provider: { id: string }) {
    return { apiKey: (await stored()).key, baseURL: `https://${provider.id}.example` }
  },
  methods: [
    {
      ...{ type: "oauth", label: "Browser" },
      prompts: [
        { type: "select", key: "plan", message: "Which?", options: [{ label: "Free", value: "free" }] },
        { type: "text", key: "seat", message: "Seat?", when: { key: "plan", op: "neq", value: "free" } },
        { type: "text", key: "old", message: "Old?", condition: ({ plan }: { plan: string }) => plan === "old" },
      ],
      authorize: async (inputs: { plan: string }) => ({
        ...{ url: `https://acme.example/${inputs.plan}`, instructions: "Look there.", method: "code" },
        callback: async (code: string) => ({ type: "success", refresh: code, access: "a", expires: 1 }),
      }),
    },
    {
      type: "api",
      label: "Key",
      prompts: [
        { type: "text", key: "k", message: "Key?", validate: (key: string) => (key ? undefined : "Give one.") },
      ],
    },
    { type: "api", label: "Key that is exchanged", authorize: async () => ({ type: "failed" }) },
    { type: "smoke", label: "None" },
  ],
}

describe("what a plugin contributes", () => {
  it("is how to sign in, in a typed form", async () => {
    await using scene = await running({ modules: { signs: { default: async () => ({ auth }) } } })
    const [contributed] = scene.engine.plugins.contributions("auth")
    expect(contributed?.plugin).toBe("signs")
    const contribution = contributed?.value as AuthContribution
    const { provider, methods = [] } = contribution
    expect([provider, methods.map(({ label }) => label)]).toEqual(["acme", ["Browser", "Key", "Key that is exchanged"]])
    const [browser, key, exchanged] = methods
    if (browser?.type !== "oauth" || key?.type !== "api" || exchanged?.type !== "api")
      throw new Error("They are mixed up.")
    expect(browser.prompts?.map((prompt) => prompt.isWanted?.({ plan: "free" }))).toEqual([true, false, false])
    expect(browser.prompts?.map((prompt) => prompt.isWanted?.({ plan: "old" }))).toEqual([true, true, true])
    const start = await browser.authorize({ plan: "free" })
    expect(start).toMatchObject({ url: "https://acme.example/free", method: "code" })
    expect(await start.callback("c")).toEqual({ type: "success", refresh: "c", access: "a", expires: 1 })
    expect(key).not.toHaveProperty("authorize")
    expect([key.prompts?.[0]?.validate?.(""), key.prompts?.[0]?.validate?.("x")]).toEqual(["Give one.", undefined])
    expect(await exchanged.authorize?.({})).toEqual({ type: "failed" })
    const options = await contribution.loader?.(async () => ({ type: "api", key: "secret" }), {
      ...{ id: "acme", name: "Acme", models: [] },
    })
    expect(options).toEqual({ apiKey: "secret", baseURL: "https://acme.example" })
    expect((await scene.client.provider.auth()).data).toMatchObject({
      acme: [{ type: "oauth", label: "Browser" }, {}, {}],
    })
  })

  it("is what a loader makes of the models that it is told of, as well", async () => {
    const free = {
      provider: "acme",
      async loader(_stored: unknown, { models }: { models: Record<string, { cost: object }> }) {
        for (const model of Object.values(models)) model.cost = { input: 0, output: 0, cache: { read: 0, write: 0 } }
        return { headers: new Headers({ "x-plan": "free" }), timeout: 5 }
      },
    }
    await using scene = await running({ modules: { free: { default: async () => ({ auth: free }) } } })
    const contribution = scene.engine.plugins.contributions("auth")[0]?.value as AuthContribution
    const cost = { input: 3, output: 15, cacheRead: 1, cacheWrite: 4 }
    const known = { id: "acme", name: "Acme", models: [{ ...scene.model.info, cost }] }
    expect(await contribution.loader?.(async () => undefined, known)).toMatchObject({
      headers: { "x-plan": "free" },
      models: [{ id: scene.model.info.id, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
    })
    expect(known.models[0]?.cost).toBe(cost)
  })

  it("is models of a provider", async () => {
    const provider = {
      id: "replay",
      models: async (known: { models: object }, { auth: stored }: { auth?: { key: string } }) => ({
        ...known.models,
        extra: {
          name: stored?.key ?? "none",
          limit: { context: 5, output: 2, input: 3 },
          cost: { input: 1, cache: { read: 2 } },
        },
        broken: 5,
      }),
    }
    await using scene = await running({ modules: { models: { default: async () => ({ provider }) } } })
    const contribution = scene.engine.plugins.contributions("provider")[0]?.value as ProviderContribution
    const { info } = scene.model
    const own = { id: "replay", name: "Replay", models: [info] }
    expect(contribution.id).toBe("replay")
    expect(await contribution.models?.(own, { auth: { type: "api", key: "k" } })).toMatchObject([
      info,
      {
        ...{ id: "extra", name: "k", limit: { context: 5, output: 2, input: 3 } },
        cost: { input: 1, output: 0, cacheRead: 2, cacheWrite: 0 },
        capabilities: { toolCall: true, reasoning: false },
      },
    ])
  })

  it.each([undefined, 5, {}, { methods: [] }])("is nothing where it has another shape: %j", async (given) => {
    await using scene = await running({ modules: { signs: { default: async () => ({ auth: given }) } } })
    expect(scene.engine.plugins.contributions("auth")).toEqual([])
  })
})
