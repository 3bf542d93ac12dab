import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { modelServer, reply, text } from "@pawl/model-server"
import { describe, expect, it, onTestFinished } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const KEY = "a-key-of-the-vendor-1234"
const hi = [reply(text("Hi."))]

describe("a newcomer gets a first answer with two commands", () => {
  it("with a key in the environment, and without naming a model", async () => {
    await using server = await modelServer({ replies: [...hi, ...hi], apiKey: KEY })
    const { pawl, environment } = await desk()
    Object.assign(environment, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.origin })

    const { code, stdout } = await pawl("run", "fix the failing test")

    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "Hi." })
    expect(server.requests[0]).toMatchObject({ path: "/v1/messages", body: { model: "claude-sonnet-5-5" } })
  })

  it("with a local server, whose models `pawl models` lists", async () => {
    await using server = await modelServer({ replies: [...hi, ...hi], models: ["qwen3-coder", "llama3.2"] })
    const { pawl, environment } = await desk()
    environment["OLLAMA_HOST"] = server.origin.replace("http://", "")

    const listed = await pawl("models", "--format", "json")
    const none = await pawl("run", "fix the failing test")
    const { code, stdout } = await pawl("run", "-m", "ollama/qwen3-coder", "fix the failing test")

    const models = jsonLines(listed.stdout).map(({ model }) => model)
    expect(models).toEqual(expect.arrayContaining(["ollama/qwen3-coder", "ollama/llama3.2"]))
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('pawl run -m ollama/qwen3-coder "…"   (Ollama is running)')
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "Hi." })
  })

  it("is told of a key that says no model by itself", async () => {
    const { pawl, environment } = await desk()
    environment["XAI_API_KEY"] = KEY

    const { code, stderr } = await pawl("run", "hi")
    const listed = await pawl("models")

    expect(listed.stderr).toBe("There is a key for xAI: pawl models xai lists its models.\n")
    expect(code).toBe(2)
    expect(stderr).toContain('your key:         pawl run -m xai/<model> "…"   (xAI; which: pawl models xai)')
  })
})

it("does not wait for a local server that never answers", async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => silent.close().closeAllConnections())
  const { pawl, environment } = await desk()
  environment["OLLAMA_HOST"] = `127.0.0.1:${(silent.address() as AddressInfo).port}`

  const { code, stdout } = await pawl("models")

  expect(code).toBe(0)
  expect(stdout).not.toContain("ollama/")
})

it("asks no local server where a model is named", async () => {
  const asked: string[] = []
  const watching = createServer((request, response) => {
    asked.push(request.url ?? "")
    response.end("{}")
  })
  await new Promise<void>((resolve) => watching.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => watching.close().closeAllConnections())
  const { pawl, environment } = await desk()
  environment["OLLAMA_HOST"] = `127.0.0.1:${(watching.address() as AddressInfo).port}`

  expect(await pawl("run", "-m", "replay/hello", "hi")).toMatchObject({ code: 0 })
  expect(asked).toEqual([])
})

describe("what is known of models", () => {
  const cost = { input: 1, output: 5, cache_read: 0.1, tiers: [{ above: 100_000, input: 2, output: 8 }] }
  const large = {
    ...{ name: "Large", limit: { context: 400_000, input: 300_000, output: 64_000 }, status: "beta" },
    ...{ cost: { ...cost, context_over_200k: { input: 3, output: 9 } }, reasoning: true, temperature: false },
    ...{ modalities: { input: ["text", "image"] }, structured_output: true, variants: { high: { effort: "high" } } },
  }

  async function configured() {
    const here = await desk()
    const provider = {
      gate: { api: "http://127.0.0.1:9/v1", models: { large, "small-model": {}, gone: {} }, blacklist: ["gone"] },
    }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ provider }))
    return here
  }

  it("is one object a line for programs", async () => {
    const { pawl } = await configured()

    const { stdout } = await pawl("models", "gate", "--format", "json")

    expect(jsonLines(stdout)).toEqual([
      {
        ...{ model: "gate/large", source: "configuration", status: "beta", name: "Large" },
        limit: { context: 400_000, input: 300_000, output: 64_000 },
        cost: {
          ...{ input: 1, output: 5, cacheRead: 0.1, cacheWrite: 0 },
          tiers: [
            { above: 100_000, input: 2, output: 8, cacheRead: 0.1, cacheWrite: 0 },
            { above: 200_000, input: 3, output: 9, cacheRead: 0.1, cacheWrite: 0 },
          ],
        },
        capabilities: {
          ...{ reasoning: true, attachment: true, toolCall: true, temperature: false, structuredOutput: true },
          input: ["text", "image"],
        },
        variants: expect.objectContaining({ high: expect.objectContaining({ effort: "high" }) as object }) as object,
      },
      expect.objectContaining({ model: "gate/small-model" }),
    ])
  })

  it("is a line for people, and several with --long", async () => {
    const { pawl } = await configured()

    const table = await pawl("models", "gate")
    const long = await pawl("models", "gate", "-l")

    expect(table.stdout).toMatch(/^gate\/large {8}400k\/64k {2}\$1\/5\+ {2}reasons files {2}configuration · beta$/m)
    expect(table.stdout).toMatch(/^gate\/small-model {2,}configuration$/m)
    expect(long.stdout.split("\n").slice(0, 12)).toMatchInlineSnapshot(`
      [
        "gate/large",
        "  from      configuration",
        "  status    beta",
        "  name      Large",
        "  tokens    window 400,000, request 300,000, answer 64,000",
        "  prices    request $1, answer $5, from its cache $0.1",
        "  long      above 100,000 tokens: request $2, answer $8, from its cache $0.1",
        "            above 200,000 tokens: request $3, answer $9, from its cache $0.1",
        "  can       call tools, reason, read files, follow a JSON schema",
        "  reads     text, image",
        "  variants  low, medium, high",
        "",
      ]
    `)
  })
})

it("refuses a model whose name is nearly one of those that are configured, and says which", async () => {
  const { pawl, configuration } = await desk()
  const provider = { gate: { api: "http://127.0.0.1:9/v1", models: { "qwen3-coder": {}, llama: {} } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider }))

  const { code, stderr } = await pawl("run", "-m", "gate/qwen3-codr", "hi")

  expect(code).toBe(2)
  expect(stderr).toContain(
    'Model "gate/qwen3-codr" is not known. Did you mean "qwen3-coder"? Known for "gate": qwen3-coder, llama.',
  )
})
