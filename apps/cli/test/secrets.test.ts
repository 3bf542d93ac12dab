import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, httpError, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

const KEY = "quite-a-plain-value"
/** As it stands in a header. The key itself is hidden where the request was made. */
const ENCODED = Buffer.from(KEY).toString("base64")

it.each(["text", "json"])("does not show a key that a server repeats, and keeps what it said: %s", async (format) => {
  const { pawl, environment } = await desk()
  await using server = await modelServer({ replies: [httpError(400, { message: `No such key: ${ENCODED}` })] })
  environment["PAWL_API_KEY"] = KEY

  const run = await pawl("run", "--format", format, "-m", "custom/x", "--base-url", server.url, "hi")
  const stored = await pawl("session", "show", "--format", "json")

  expect(run.code).toBe(1)
  expect(run.stdout + run.stderr).toContain("No such key: [removed:PAWL_API_KEY]")
  expect(run.stdout + run.stderr).not.toContain(ENCODED.slice(0, 20))
  expect(stored.stdout).toContain(`No such key: ${ENCODED}`)
})

it("does not show a key of the configuration in what is told of tools, where that may be a log", async () => {
  const { pawl, configuration } = await desk()
  const command = `echo ${ENCODED} ${KEY}`
  await using server = await modelServer({ replies: [reply(call("bash", { command })), reply(text("Done."))] })
  const provider = { mine: { options: { baseURL: server.url, apiKey: KEY } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider, permission: "allow" }))

  const run = await pawl("run", "-m", "mine/x", "hi")

  expect(run.code).toBe(0)
  expect(run.stderr).toContain("[removed:provider.mine.options.apiKey]")
  expect(run.stderr).not.toContain(KEY)
})

it("takes what is known to be secret out of a sanitized export", async () => {
  const { pawl, configuration, talk } = await desk()
  const id = await talk(`Look at ${KEY}`)
  const provider = { mine: { options: { apiKey: KEY } } }
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ provider }))
  const [exact, clean] = [await pawl("session", "export", id), await pawl("session", "export", "--sanitize", id)]

  expect(exact.stdout).toContain(KEY)
  expect(clean.stdout).not.toContain(KEY)
  expect(clean.stdout).toContain("[removed:provider.mine.options.apiKey]")
})
