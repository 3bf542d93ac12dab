import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type TestPackage, testRegistry } from "../../../packages/plugin-loader/test/registry.ts"
import { desk } from "./in-process.ts"

const KEY = "a-key-of-the-vendor-1234"

afterEach(() => void vi.unstubAllEnvs())

/** The directory of a real package. */
const real = (name: string) =>
  new URL(`../../../packages/provider-http/node_modules/${name}`, import.meta.url).pathname.replace(/\/$/, "")

/** What a vendor publishes: `create…`, which says by itself where requests go and which variable holds the key. */
function acme(version: string, specification: string, home: string): TestPackage {
  const code = `export const createAcme = ({ baseURL = process.env.ACME_URL, apiKey = process.env.ACME_KEY, headers, fetch, region }) => ({
    languageModel: (modelId) => ({
      ...{ specificationVersion: "${specification}", provider: "acme.chat", modelId, supportedUrls: {} },
      async doStream() {
        const url = baseURL + "/acme?region=" + region
        const response = await fetch(url, { method: "POST", headers: { "x-acme-key": apiKey, ...headers }, body: "{}" })
        await response.text()
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
        return { stream: new ReadableStream({ start(c) {
          c.enqueue({ type: "text-start", id: "1" })
          c.enqueue({ type: "text-delta", id: "1", delta: "acme ${version} as " + modelId })
          c.enqueue({ type: "text-end", id: "1" })
          c.enqueue({ type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } })
          c.close()
        } }) }
      },
    }),
  })`
  const scripts = { postinstall: `touch ${join(home, "ran")}` }
  return {
    manifest: { name: "@acme/ai-sdk-provider", version, type: "module", exports: "./index.js", scripts },
    files: { "index.js": code },
  }
}

describe("a package that a vendor publishes", () => {
  async function place(specification = "v4") {
    const here = await desk()
    const registry = await testRegistry(acme("1.0.0", specification, here.project))
    const server = await modelServer({ replies: () => reply(text("-")), strict: false })
    const cache = join(here.data, "cache")
    const environment = { ...registry.env, XDG_CACHE_HOME: cache, HOME: here.project, PATH: process.env["PATH"] }
    Object.assign(here.environment, environment, { PAWL_LOG_LEVEL: "off" })
    return { ...here, registry, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  }

  it("is not installed by a run, which says how to", async () => {
    await using here = await place()
    await writeFile(
      join(here.configuration, "pawl.jsonc"),
      '{ "provider": { "acme": { "npm": "@acme/ai-sdk-provider" } } }',
    )

    const { code, stderr } = await here.pawl("run", "-m", "acme/large", "hi")

    expect(code).toBe(2)
    expect(stderr).toContain('Provider "acme" needs the package @acme/ai-sdk-provider, which is not installed.')
    expect(stderr).toContain("pawl provider add @acme/ai-sdk-provider")
    expect(here.registry.requests).toEqual([])
  })

  it("is installed without its scripts, named in the configuration, and used as it was installed", async () => {
    await using here = await place()

    const added = await here.pawl("provider", "add", "@acme/ai-sdk-provider")
    await here.registry.publish(acme("2.0.0", "v4", here.project))
    const asked = here.registry.requests.length
    const file = join(here.configuration, "pawl.jsonc")
    const config = JSON.parse(await readFile(file, "utf8")) as { provider: { acme: object } }
    const options = { headers: { "x-team": "blue" }, sdk: { region: "eu" } }
    Object.assign(config.provider.acme, { api: `${here.server.origin}/base`, env: ["MY_KEY"], options })
    await writeFile(file, JSON.stringify({ title: false, ...config }))
    here.environment["MY_KEY"] = KEY
    const used = await here.pawl("run", "-m", "acme/large", "hi")

    expect(added).toMatchObject({ code: 0 })
    expect(added.stdout).toContain("Installed @acme/ai-sdk-provider 1.0.0, without running scripts of it.")
    expect(added.stdout).toContain('Provider "acme" is @acme/ai-sdk-provider in ')
    await expect(readFile(join(here.project, "ran"))).rejects.toThrow("ENOENT")
    expect({ code: used.code, stdout: used.stdout.trim() }).toEqual({ code: 0, stdout: "acme 1.0.0 as large" })
    expect(here.server.requests[0]).toMatchObject({
      path: "/base/acme?region=eu",
      headers: { "x-acme-key": KEY, "x-team": "blue" },
    })
    expect(here.registry.requests).toHaveLength(asked)
  })

  it("is refused where it is made for another AI SDK, and nothing is written", async () => {
    await using here = await place("v2")

    const { code, stderr } = await here.pawl("provider", "add", "@acme/ai-sdk-provider")

    expect(code).toBe(2)
    expect(stderr).toContain('Its models have the specification "v2", and pawl takes "v4"')
    await expect(readFile(join(here.configuration, "pawl.jsonc"))).rejects.toThrow("ENOENT")
  })

  it("is used by a trusted project that names it, without a key of the user's", async () => {
    await using here = await place()
    await here.pawl("provider", "add", "@acme/ai-sdk-provider", "--id", "other")
    const provider = { acme: { npm: "@acme/ai-sdk-provider", api: here.server.url } }
    await writeFile(join(here.project, "pawl.jsonc"), JSON.stringify({ title: false, provider }))
    here.environment["PAWL_API_KEY"] = KEY

    const untrusted = await here.pawl("run", "-m", "acme/large", "hi")
    await here.pawl("trust", "--yes")
    const trusted = await here.pawl("run", "-m", "acme/large", "hi")
    delete here.environment["PAWL_API_KEY"]
    const keyless = await here.pawl("run", "-m", "acme/large", "hi")

    expect(untrusted.stderr).toContain("this project is not trusted")
    expect(trusted.stderr).toContain("pawl does not send your keys or headers to a server that a project configures")
    expect(keyless.code).toBe(0)
    expect(here.server.requests.map(({ headers }) => headers["x-acme-key"])).toEqual([undefined])
  })
})

describe("a package of a path", () => {
  it("is used with its own API, and keeps the key out of what others read", async () => {
    await using server = await modelServer({
      replies: [reply(call("read", { filePath: "note.txt" })), reply(text("It says hello."))],
      apiKey: KEY,
    })
    const here = await desk()
    const options = { baseURL: server.url, apiKey: "{env:MY_KEY}" }
    const provider = {
      mine: { npm: real("@ai-sdk/groq"), options, models: { small: { limit: { context: 9000, output: 900 } } } },
    }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ title: false, provider }))
    await writeFile(join(here.project, "note.txt"), "hello from the file")
    here.environment["MY_KEY"] = KEY

    const { code, stdout, stderr } = await here.pawl("run", "-m", "mine/small", "read the note")

    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("It says hello.")
    expect(server.requests).toHaveLength(2)
    expect(String(server.requests[1]?.raw)).toContain("hello from the file")
  })

  it("gets no key of its own variable at an address that has none", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi."))] })
    const here = await desk()
    const provider = { mine: { npm: real("@ai-sdk/groq"), options: { baseURL: server.url } } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ title: false, provider }))
    // The package looks for it by itself.
    vi.stubEnv("GROQ_API_KEY", KEY)

    expect(await here.pawl("run", "-m", "mine/small", "hi")).toMatchObject({ code: 0 })
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization")
  })

  it("gets no key of its own variable where a project tells it what to do", async () => {
    await using server = await modelServer({ replies: [reply(text("Hi."))] })
    const here = await desk()
    const provider = { mine: { npm: real("@ai-sdk/groq") } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ title: false, provider }))
    const theirs = { mine: { options: { sdk: { baseURL: server.url } } } }
    await writeFile(join(here.project, "pawl.jsonc"), JSON.stringify({ provider: theirs }))
    await here.pawl("trust", "--yes")
    vi.stubEnv("GROQ_API_KEY", KEY)

    expect(await here.pawl("run", "-m", "mine/small", "hi")).toMatchObject({ code: 0 })
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization")
  })

  it("of another AI SDK is refused before anything is stored", async () => {
    const here = await desk()
    const provider = { mine: { npm: real("ai-sdk-groq-2"), options: { apiKey: KEY } } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ provider }))

    const { code, stderr } = await here.pawl("run", "-m", "mine/small", "hi")

    expect(code).not.toBe(0)
    expect(stderr).toContain('speaks version "v2"')
    expect(await here.sessions()).toEqual([])
  })

  it("is never the project's", async () => {
    const here = await desk()
    await writeFile(join(here.project, "mine.mjs"), "process.exit(7)")
    await writeFile(join(here.project, "pawl.jsonc"), '{ "provider": { "mine": { "npm": "./mine.mjs" } } }')
    await here.pawl("trust", "--yes")

    const { code, stderr } = await here.pawl("run", "-m", "mine/small", "hi")

    expect(code).toBe(2)
    expect(stderr).toContain("a project cannot bring the code of a provider")
  })

  it("says what it is not", async () => {
    const here = await desk()
    await writeFile(join(here.configuration, "odd.mjs"), "export const odd = 1")
    await writeFile(join(here.configuration, "broken.mjs"), "export const = 1")
    const provider = { odd: { npm: "./odd.mjs" }, broken: { npm: "./broken.mjs" } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ provider }))

    expect((await here.pawl("run", "-m", "odd/x", "hi")).stderr).toContain("has no function create…")
    expect((await here.pawl("run", "-m", "broken/x", "hi")).stderr).toContain("cannot be loaded: ")
  })
})

it("need not be added where pawl speaks the API by itself", async () => {
  const { pawl } = await desk()

  const { code, stderr } = await pawl("provider", "add", "@ai-sdk/anthropic@4")

  expect(code).toBe(2)
  expect(stderr).toContain("@ai-sdk/anthropic@4 is not needed")
})
