import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply, text, unauthorized } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const KEY = "a-key-of-the-vendor-1234"

describe.each([
  { id: "anthropic", model: "claude-sonnet-5-5", variable: "ANTHROPIC_API_KEY", base: "/v1", path: "/v1/messages" },
  { id: "openai", model: "gpt-5", variable: "OPENAI_API_KEY", base: "/v1", path: "/v1/responses" },
  {
    ...{ id: "google", model: "gemini-3.8-flash", variable: "GEMINI_API_KEY", base: "/v1beta" },
    path: "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
  },
])("$id", ({ id, model, variable, base, path }) => {
  async function configured(origin: string, options: object = {}) {
    const here = await desk()
    const provider = { [id]: { npm: `@ai-sdk/${id}`, options: { baseURL: `${origin}${base}`, ...options } } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ provider }))
    return here
  }

  it("runs a tool and answers over its own API", async () => {
    const replies = [reply(call("read", { filePath: "note.txt" })), reply(text("It says hello."))]
    await using server = await modelServer({ replies, apiKey: KEY })
    const here = await configured(server.origin, { headers: { "x-team": "blue" } })
    here.environment[variable] = KEY
    await writeFile(join(here.project, "note.txt"), "hello from the file")

    const { code, stdout, stderr } = await here.pawl("run", "read the note")

    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("It says hello.")
    expect(server.requests.map((request) => request.path)).toEqual([path, path])
    expect(server.requests[0]?.headers["x-team"]).toBe("blue")
    expect(String(server.requests[1]?.raw)).toContain("hello from the file")
  })

  it("names the variable whose key is refused, and not the key", async () => {
    await using server = await modelServer({ replies: [unauthorized()] })
    const here = await configured(server.origin)
    here.environment[variable] = KEY

    const { code, stdout, stderr } = await here.pawl("run", "-m", `${id}/${model}`, "hi")

    expect(code).not.toBe(0)
    expect(stderr).toContain(`Check the variable ${variable}.`)
    expect(stdout + stderr).not.toContain(KEY)
  })

  it("tells its models without a network, the configured ones too", async () => {
    const here = await desk()
    const config = { provider: { [id]: { models: { mine: {} } } } }
    await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify(config))

    const { code, stdout } = await here.pawl("models", id, "--format", "json")

    expect(code).toBe(0)
    const told = jsonLines(stdout)
    expect(told).toContainEqual(
      expect.objectContaining({
        model: `${id}/${model}`,
        source: "catalogue",
        capabilities: expect.any(Object) as object,
      }),
    )
    expect(told).toContainEqual(expect.objectContaining({ model: `${id}/mine`, source: "configuration" }))
  })
})

it("reaches a gateway of another name without a key, and sends it none of the vendor's", async () => {
  await using server = await modelServer({ replies: [reply(text("Hi."))] })
  const { pawl, configuration, environment } = await desk()
  const provider = { gate: { npm: "@ai-sdk/anthropic" } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider }))
  environment["ANTHROPIC_API_KEY"] = KEY

  const { code, stdout } = await pawl("run", "-m", "gate/some-model", "--base-url", server.url, "hi")

  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "Hi." })
  expect(server.requests[0]?.path).toBe("/v1/messages")
  expect(server.requests[0]?.headers).not.toHaveProperty("x-api-key")
})

it("speaks Chat Completions where openai has an address of its own", async () => {
  await using server = await modelServer({ replies: [reply(text("Hi."))] })
  const { pawl, environment } = await desk()
  Object.assign(environment, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url })

  expect(await pawl("run", "hi")).toMatchObject({ code: 0 })
  expect(server.requests[0]?.path).toBe("/v1/chat/completions")
})
