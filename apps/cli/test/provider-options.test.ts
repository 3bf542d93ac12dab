import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { deltas, httpError, modelServer, reply, stall, start, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { certificateFile, proxyFront, secureFront } from "./fronts.ts"
import { desk, type Desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const KEY = "a-key-for-the-gate-1234"
const hi = [reply(text("Hi."))]

async function configured(config: object, environment: Record<string, string> = {}): Promise<Desk> {
  const here = await desk()
  Object.assign(here.environment, { HOME: here.project, ...environment })
  await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ title: false, ...config }))
  return here
}

const gate = (options: object, more: object = {}) => ({ provider: { gate: { options, ...more } } })

describe("a request carries", () => {
  it("the query, the headers and the key that are configured", async () => {
    await using server = await modelServer({ replies: hi, apiKey: KEY })
    const options = { query: { version: "2", team: "a b" }, headers: { "x-team": "blue" } }
    const config = gate(options, { api: server.url, env: ["NOT_SET", "GATE_KEY"] })
    const { pawl } = await configured(config, { GATE_KEY: KEY })

    expect(await pawl("run", "-m", "gate/small", "hi")).toMatchObject({ code: 0 })
    expect(server.requests[0]).toMatchObject({
      path: "/v1/chat/completions?version=2&team=a+b",
      headers: { "x-team": "blue", authorization: `Bearer ${KEY}` },
    })
  })

  it.each(["@ai-sdk/openai-compatible", "@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/google"])(
    "a model's own id, headers and options over %s",
    async (npm) => {
      await using server = await modelServer({ replies: hi, strict: false })
      const models = { fast: { id: "vendor-model-1", headers: { "x-model": "m" }, options: { user: "ann" } } }
      const base = npm.endsWith("google") ? `${server.origin}/v1beta` : server.url
      const { pawl } = await configured(gate({ baseURL: base, headers: { "x-all": "a" } }, { npm, models }))

      expect(await pawl("run", "-m", "gate/fast", "hi")).toMatchObject({ code: 0 })
      const [request] = server.requests
      expect(request?.headers).toMatchObject({ "x-model": "m", "x-all": "a" })
      expect(`${request?.path} ${String(request?.raw)}`).toContain("vendor-model-1")
      if (npm.includes("openai")) expect(JSON.parse(String(request?.raw))).toMatchObject({ user: "ann" })
    },
  )
})

it.each([true, false])("a request has tools and a temperature where the model takes them: %s", async (takes) => {
  await using server = await modelServer({ replies: hi })
  const models = { small: { tool_call: takes, temperature: takes } }
  const agent = { build: { temperature: 0.5 } }
  const { pawl } = await configured({ ...gate({ baseURL: server.url }, { models }), agent })

  expect(await pawl("run", "-m", "gate/small", "hi")).toMatchObject({ code: 0 })
  const sent = JSON.parse(String(server.requests[0]?.raw)) as Record<string, unknown>
  expect(["tools" in sent, sent["temperature"]]).toEqual([takes, takes ? 0.5 : undefined])
})

it.each<[name: string, npm: string | undefined, middleware: readonly unknown[], answer: readonly string[]]>([
  ["by its name", undefined, ["extractReasoning"], ["<think>It is ", "late.</think>", "\n\nGood night."]],
  [
    "with options",
    undefined,
    [{ name: "extractReasoning", startWithReasoning: true }],
    ["It is late.</think>Good night."],
  ],
  ["of a vendor's API", "@ai-sdk/anthropic", ["extractReasoning"], ["<think>It is late.</think>Good night."]],
])("a middleware %s makes reasoning of a text in tags", async (_name, npm, middleware, answer) => {
  await using server = await modelServer({ replies: [reply(text(answer)), ...hi], strict: false })
  const models = { small: { middleware } }
  const { pawl } = await configured(gate({ baseURL: server.url }, { models, ...(npm ? { npm } : {}) }))

  const run = await pawl("run", "-m", "gate/small", "--thinking", "--format", "json", "hi")
  expect(run.code).toBe(0)
  const parts = jsonLines(run.stdout).flatMap(({ part }) => (part ? [part as { type: string; text?: string }] : []))
  expect(parts.filter(({ text: said }) => said !== undefined)).toMatchObject([
    { type: "reasoning", text: "It is late." },
    { type: "text", text: "Good night." },
  ])
})

describe("a proxy", () => {
  it("of the configuration is asked with the whole address", async () => {
    await using server = await modelServer({ replies: hi })
    await using proxy = await proxyFront(server.origin)
    const { pawl } = await configured(gate({ baseURL: "http://models.test/v1", proxy: proxy.origin }))

    expect(await pawl("run", "-m", "gate/small", "hi")).toMatchObject({ code: 0 })
    expect(proxy.asked).toEqual(["POST http://models.test/v1/chat/completions"])
  })

  it("of the configuration only connects to a server with TLS", async () => {
    await using server = await modelServer({ replies: hi })
    await using secure = await secureFront(server.origin)
    await using proxy = await proxyFront(server.origin)
    const options = { baseURL: `${secure.origin}/v1`, proxy: proxy.origin, ca: certificateFile }
    const { pawl } = await configured(gate(options))

    expect(await pawl("run", "-m", "gate/small", "hi")).toMatchObject({ code: 0 })
    expect(proxy.asked).toEqual([`CONNECT ${new URL(secure.origin).host}`])
    expect(secure.asked).toEqual(["POST /v1/chat/completions"])
  })

  it("of the environment is asked, but not for NO_PROXY and not for this machine", async () => {
    await using server = await modelServer({ replies: [...hi, ...hi] })
    await using proxy = await proxyFront(server.origin)
    const environment = { HTTP_PROXY: proxy.origin, NO_PROXY: "" }
    const config = { retry: { attempts: 1 }, ...gate({ baseURL: "http://models.invalid/v1" }) }
    const here = await configured(config, environment)

    expect(await here.pawl("run", "-m", "gate/small", "hi")).toMatchObject({ code: 0 })
    expect(proxy.asked).toHaveLength(1)
    here.environment["NO_PROXY"] = "models.invalid"
    const around = await here.pawl("run", "-m", "gate/small", "hi")
    expect(around.stderr).toContain("Cannot reach http://models.invalid/v1")
    expect(await here.pawl("run", "-m", "x/small", "--base-url", server.url, "hi")).toMatchObject({ code: 0 })
    expect(proxy.asked).toHaveLength(1)
  })
})

describe("a server with a certificate of its own", () => {
  it("is reached with its certificate, beside the file that names it or in it", async () => {
    await using server = await modelServer({ replies: [...hi, ...hi] })
    await using secure = await secureFront(server.origin)
    const { readFile } = await import("node:fs/promises")
    const pem = await readFile(certificateFile, "utf8")
    for (const ca of ["./company.pem", pem]) {
      const { pawl, configuration } = await configured(gate({ baseURL: `${secure.origin}/v1`, ca }))
      await writeFile(join(configuration, "company.pem"), pem)
      expect(await pawl("run", "-m", "gate/small", "hi")).toMatchObject({ code: 0 })
    }
  })

  it("is not reached without, and nothing of a request gets there", async () => {
    await using server = await modelServer({ replies: hi })
    await using secure = await secureFront(server.origin)
    const { pawl } = await configured({ retry: { attempts: 1 }, ...gate({ baseURL: `${secure.origin}/v1` }) })

    const { code, stderr } = await pawl("run", "-m", "gate/small", "hi")

    expect(code).not.toBe(0)
    expect(stderr).toContain("no secure connection")
    expect(secure.asked).toEqual([])
  })

  it.each([
    ["missing.pem", "cannot be read (ENOENT)"],
    ["pawl.jsonc", "holds no certificate in the form of PEM"],
  ])("is an error that names %s", async (ca, says) => {
    const { pawl, configuration } = await configured(gate({ baseURL: "https://127.0.0.1:1/v1", ca }))

    const { code, stderr } = await pawl("run", "-m", "gate/small", "hi")

    expect(code).toBe(2)
    expect(stderr).toContain(`provider.gate.options.ca names ${join(configuration, ca)}, which ${says}`)
  })
})

describe("a server that falls silent", () => {
  it.each<[name: string, options: object, first: ReturnType<typeof reply>, says: string]>([
    ["before it answers", { headerTimeout: 600 }, reply(stall()), "gave no answer: no answer within the time limit"],
    [
      "in its answer",
      { chunkTimeout: 600 },
      reply(text("Hel"), stall()),
      "broke off: silence in the middle of the answer",
    ],
    [
      "after its head",
      { chunkTimeout: 600 },
      reply(start(), stall()),
      "broke off: silence in the middle of the answer",
    ],
  ])("%s is given up, and asked again", async (_name, options, first, says) => {
    await using server = await modelServer({ replies: [first, ...hi] })
    const config = { retry: { delay_ms: 1 }, ...gate({ baseURL: server.url, ...options }) }
    const { pawl } = await configured(config)

    const { code, stdout, stderr } = await pawl("run", "-m", "gate/small", "hi")

    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "Hi." })
    expect(stderr).toContain(says)
  })

  it("is waited for where it goes on to say something", async () => {
    await using server = await modelServer({ replies: [reply(deltas({ text: "ab ", count: 40 }))], delay: 5 })
    const { pawl } = await configured(gate({ baseURL: server.url, headerTimeout: 100_000, chunkTimeout: 100_000 }))

    const { code, stdout } = await pawl("run", "-m", "gate/small", "hi")

    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "ab ".repeat(40).trim() })
  })
})

describe("what may be used", () => {
  it.each<[string, object, string]>([
    [
      "disabled_providers",
      { disabled_providers: ["gate"] },
      'Provider "gate" is switched off by "disabled_providers".',
    ],
    ["enabled_providers", { enabled_providers: ["openai"] }, 'Provider "gate" is switched off by "enabled_providers".'],
    ["a whitelist", gate({}, { whitelist: ["large"] }), "provider.gate.whitelist. Those that may: large."],
    ["a blacklist", gate({}, { blacklist: ["small"] }), "provider.gate.blacklist."],
  ])("is said by %s", async (_name, more, says) => {
    await using server = await modelServer({ replies: hi })
    const base = gate({ baseURL: server.url })
    const given = "provider" in more ? (more.provider as Record<"gate", object>).gate : {}
    const { pawl } = await configured({
      ...base,
      ...more,
      provider: { gate: { ...base.provider.gate, ...given, options: base.provider.gate.options } },
    })

    const { code, stderr } = await pawl("run", "-m", "gate/small", "hi")

    expect(code).toBe(2)
    expect(stderr).toContain(says)
    expect(server.requests).toEqual([])
  })

  it("leaves out what may not be used when a model is chosen by its key, and in lists", async () => {
    const { pawl } = await configured(
      { disabled_providers: ["openai"], provider: { google: { blacklist: ["gemini-3.8-flash"] } } },
      { OPENAI_API_KEY: "o", GEMINI_API_KEY: "g", GROQ_API_KEY: "q" },
    )

    const { stdout } = await pawl("models")

    expect(stdout).toContain("groq/")
    expect(stdout).not.toMatch(/openai\/gpt-5 |gemini-3.8-flash/)
  })
})

describe("a project that is not trusted", () => {
  it.each([{ provider: { openai: { options: { proxy: "http://127.0.0.1:9" } } } }, { disabled_providers: ["replay"] }])(
    "says none of it: %j",
    async (config) => {
      await using server = await modelServer({ replies: hi, apiKey: KEY })
      const here = await configured({}, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url })
      await writeFile(join(here.project, "pawl.jsonc"), JSON.stringify(config))

      expect(await here.pawl("run", "-m", "openai/gpt-5", "hi")).toMatchObject({ code: 0 })
    },
  )
})

describe("a failure says what to do", () => {
  it("names the models of a server that does not have the one that was asked for", async () => {
    const notFound = httpError(404, { message: `model "qwen3-codr" not found, try pulling it first` })
    await using server = await modelServer({ replies: [notFound], models: ["qwen3-coder", "llama3.2:1b"] })
    const { pawl } = await configured({}, { OLLAMA_HOST: server.origin })

    const { code, stderr } = await pawl("run", "-m", "ollama/qwen3-codr", "hi")

    expect(code).not.toBe(0)
    expect(stderr).toContain("Did you mean one of these: qwen3-coder.")
  })

  it("tells how to start a server of this machine", async () => {
    const { pawl } = await configured({ retry: { attempts: 1 } }, { OLLAMA_HOST: "127.0.0.1:9" })

    const { stderr } = await pawl("run", "-m", "ollama/qwen3", "hi")

    expect(stderr).toContain(
      "Cannot reach http://127.0.0.1:9/v1: connection refused. Is the server running? Start it with: ollama serve",
    )
  })

  it.each<[name: string, config: object, environment: Record<string, string>, says: RegExp]>([
    ["a variable", {}, { GROQ_API_KEY: "wrong-key-here" }, /Check the variable GROQ_API_KEY\./],
    ["the configuration", { apiKey: "wrong-key-here" }, {}, /Check provider\.groq\.options\.apiKey in .*pawl\.jsonc\./],
  ])("where the key that is refused comes from: %s", async (_name, options, environment, says) => {
    await using server = await modelServer({ replies: hi, apiKey: KEY })
    const provider = { groq: { options: { baseURL: server.url, ...options } } }
    const { pawl } = await configured({ provider }, environment)

    const { stderr } = await pawl("run", "-m", "groq/x", "hi")

    expect(stderr).toMatch(says)
    expect(stderr).not.toContain("wrong-key-here")
  })
})
