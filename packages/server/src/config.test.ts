import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { serving } from "../test/serving.ts"
import { createServer, type ServerUserConfig } from "./index.ts"

/** A configuration that records what is merged into it. */
function recording(config: object, refusal?: string) {
  const parts: object[] = []
  const userConfig: ServerUserConfig = {
    read: async () => config,
    async merge(part) {
      parts.push(part)
      return refusal === undefined ? undefined : { refusal }
    },
  }
  return { parts, userConfig }
}

const patch = (body: unknown) => ({ method: "PATCH", body: JSON.stringify(body) })

it("shows the user's configuration in OpenCode's shape", async () => {
  const { userConfig } = recording({ model: "a/b", storage: "memory:", permission: "ask" })
  await using serve = await serving({ host: { userConfig } })
  const answer = await serve.app.request("/global/config")
  expect(await answer.json()).toEqual({ model: "a/b", permission: { "*": "ask" } })
})

it("passes on only what differs from what was shown", async () => {
  const options = { apiKey: "[removed:provider.far.options.apiKey]", baseURL: "https://far.example" }
  const { parts, userConfig } = recording({ permission: "ask", provider: { far: { options } }, instructions: ["a"] })
  await using serve = await serving({ host: { userConfig } })
  const { app } = serve
  const shown = (await (await app.request("/global/config")).json()) as object
  await app.request("/global/config", patch(shown))
  expect(parts).toEqual([])
  const far = { options: { ...options, baseURL: "https://further.example" } }
  await app.request("/global/config", patch({ ...shown, provider: { far }, instructions: ["a", "b"], agent: {} }))
  expect(parts).toEqual([
    {
      ...{ provider: { far: { options: { baseURL: "https://further.example" } } }, instructions: ["a", "b"] },
      agent: {},
    },
  ])
})

it("passes on all permission rules in their order if one has changed or moved", async () => {
  const rules = { "git *": "allow", "*": "deny" }
  const { parts, userConfig } = recording({ permission: { bash: rules } })
  await using serve = await serving({ host: { userConfig } })
  await serve.app.request("/global/config", patch({ permission: { bash: rules } }))
  expect(parts).toEqual([])
  await serve.app.request("/global/config", patch({ permission: { bash: { "*": "deny", "git *": "allow" } } }))
  expect(JSON.stringify(parts)).toBe('[{"permission":{"bash":{"*":"deny","git *":"allow"}}}]')
})

it("answers a refusal with its reason, and reloads nothing", async () => {
  const { userConfig } = recording({}, "The file is read-only.")
  let reloads = 0
  await using serve = await serving({ host: { userConfig, reload: async () => void reloads++ } })
  const answer = await serve.app.request("/global/config", patch({ model: "a/b" }))
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { name: "BadRequest", data: { message: "The file is read-only.", kind: "Body" } },
  ])
  expect(reloads).toBe(0)
})

it("is not offered without a user's configuration, and not for a project", async () => {
  await using serve = await serving()
  for (const [method, path] of [
    ["GET", "/global/config"],
    ["PATCH", "/global/config"],
    ["PATCH", "/config"],
  ] as const) {
    const answer = await serve.app.request(path, { method })
    const { data } = (await answer.json()) as { data: { message: string } }
    expect([answer.status, data.message]).toEqual([404, expect.stringMatching(/^pawl's server has no .+ not offered/)])
  }
  const answer = await serve.app.request("/config", patch({}))
  expect(await answer.text()).toContain("PATCH /global/config")
})

it("reloads all open directories before it answers, also if one of them fails", async () => {
  const { userConfig } = recording({})
  await using serve = await serving()
  const { host, directory } = serve
  await Promise.all(["one", "two"].map((name) => mkdir(join(directory, name))))
  const reloaded: string[] = []
  const server = createServer({
    directory,
    version: "9.9.9",
    open: async (path) => {
      const reload = async () => {
        reloaded.push(path)
        if (path.endsWith("one")) throw new Error("It cannot be reloaded.")
      }
      return { host: { ...host, directory: path, userConfig, reload }, close: async () => undefined }
    },
  })
  const send = (path: string, init = {}) => server.fetch(new Request(`http://localhost${path}`, init))
  for (const name of ["one", "two"]) await send(`/path?directory=${encodeURIComponent(join(directory, name))}`)
  expect((await send("/global/config", patch({ model: "a/b" }))).status).toBe(200)
  expect(reloaded.toSorted()).toEqual([directory, join(directory, "one"), join(directory, "two")])
  await server.close()
})
