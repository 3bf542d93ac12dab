import type { AuthContribution, Contribution, ProviderContribution, StoredAuth } from "@pawl/core/plugin"
import { createSecrets } from "@pawl/secrets"
import { describe, expect, it } from "vitest"
import { createProviderAuth } from "./provider-auth.ts"

const ACME = { id: "acme", name: "Acme", models: [] }

/** Plugins that can be exchanged, and what is kept. */
function scene(
  first: Record<string, Partial<AuthContribution> & { readonly models?: ProviderContribution["models"] }>,
) {
  let plugins = first
  const secrets = createSecrets()
  const stored: Record<string, StoredAuth> = { acme: { type: "oauth", refresh: "r", access: "a", expires: 1 } }
  const contributions = (name: "auth" | "provider"): Contribution[] =>
    Object.entries(plugins).flatMap(([plugin, value]) => {
      if (name === "auth") return [{ plugin, value }]
      return value.models ? [{ plugin, value: { id: value.provider, models: value.models } }] : []
    })
  const auth = createProviderAuth({ file: { get: async (id) => stored[id] }, contributions, secrets })
  return { auth, secrets, plugins: () => plugins, replace: (next: typeof first) => void (plugins = next) }
}

const answer = (text: string) => async () => new Response(text)

describe("signing in", () => {
  it("asks all plugins of the provider one after the other, and the last word counts", async () => {
    const { auth, secrets } = scene({
      one: { provider: "acme", loader: () => ({ apiKey: "the-key-of-one", baseURL: "http://one/v1" }) },
      other: { provider: "other", loader: () => ({ baseURL: "http://other/v1" }) },
      two: { provider: "acme", loader: async (stored) => ({ apiKey: `${(await stored())?.type}-of-plugin-two` }) },
    })

    expect(await auth.signIn(ACME)).toEqual({ options: { apiKey: "oauth-of-plugin-two", baseURL: "http://one/v1" } })
    expect(await auth.signIn({ ...ACME, id: "other" })).toBeUndefined()
    expect(secrets.mask("say oauth-of-plugin-two")).not.toContain("plugin-two")
  })

  it("passes over what has not the right form", async () => {
    const nonsense = { apiKey: 5, headers: { a: 1, b: "2" }, fetch: "no" }
    const { auth } = scene({
      odd: { provider: "acme", loader: () => nonsense as never },
      none: { methods: 5 as never },
    })

    expect(await auth.signIn(ACME)).toEqual({ options: { headers: { b: "2" } } })
  })

  it("names the plugin that fails", async () => {
    const { auth } = scene({ broken: { provider: "acme", loader: () => Promise.reject(new Error("no seat")) } })

    await expect(auth.signIn(ACME)).rejects.toThrow('Plugin "broken" could not sign in to "acme": no seat')
  })
})

describe("the fetch of a plugin", () => {
  it("is that of the version there is when a request is sent", async () => {
    const { auth, replace } = scene({ signer: { provider: "acme", loader: () => ({ fetch: answer("first") }) } })
    const fetch = (await auth.signIn(ACME))?.options?.fetch
    const said = async () => (await fetch?.("http://acme"))?.text()
    expect(await said()).toBe("first")
    replace({ signer: { provider: "acme", loader: () => Promise.reject(new Error("a typo")) } })
    await expect(said()).rejects.toThrow("a typo")
    let loads = 0
    replace({
      signer: {
        provider: "acme",
        loader: () => {
          loads++
          return { fetch: answer("second") }
        },
      },
    })

    expect([await said(), await said(), loads]).toEqual(["second", "second", 1])
  })

  it("is that of the plugins from before once those in between, which failed, are gone", async () => {
    const { auth, replace, plugins } = scene({
      signer: { provider: "acme", loader: () => ({ fetch: answer("first") }) },
    })
    const before = plugins()
    const fetch = (await auth.signIn(ACME))?.options?.fetch
    replace({ ...before, broken: { provider: "acme", loader: () => Promise.reject(new Error("a typo")) } })
    await expect(fetch?.("http://acme")).rejects.toThrow("a typo")
    replace(before)

    expect(await (await fetch?.("http://acme"))?.text()).toBe("first")
  })

  it("has to give a response", async () => {
    const { auth } = scene({ empty: { provider: "acme", loader: () => ({ fetch: async () => ({}) as never }) } })

    const fetch = (await auth.signIn(ACME))?.options?.fetch

    await expect(fetch?.("http://acme")).rejects.toThrow('The fetch of plugin "empty" gave no response for "acme".')
  })
})

describe("models", () => {
  it("are those that no plugin changes, or what one makes of those of the other", async () => {
    const model = (id: string) => ({
      ...{ id, name: id, limit: { context: 1, output: 1 }, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
      capabilities: { reasoning: false, attachment: false, toolCall: true },
    })
    const { auth, replace } = scene({})
    expect(await auth.models(ACME)).toBe(ACME.models)
    replace({
      one: { provider: "acme", models: () => [model("a")] },
      two: { provider: "acme", models: ({ models }, { auth: kept }) => [...models, model(kept?.type ?? "")] },
    })
    expect((await auth.models(ACME)).map(({ id }) => id)).toEqual(["a", "oauth"])
    replace({ bad: { provider: "acme", models: () => [{ id: "a" } as never] } })
    await expect(auth.models(ACME)).rejects.toThrow('Plugin "bad" could not tell the models of "acme": it gave no list')
  })
})
