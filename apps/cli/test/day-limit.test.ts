import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { call, modelServer, reply } from "@pawl/model-server"
import { expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const MOST = 20

it("holds for processes that work beside each other, but for one request of each", async () => {
  const { pawl, configuration } = await workplace()
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ limits: { day: { requests: MOST } } }))
  let calls = 0
  await using server = await modelServer({ replies: () => reply(call("bash", { command: `echo ${++calls}` })) })
  const args = ["run", "-m", "custom/test", "--base-url", server.url, "--format", "json"]

  const both = await Promise.all([pawl([...args, "one"]), pawl([...args, "two"])])

  const spent = { name: "LimitReachedError", data: { reached: "requests", scope: "day", limit: MOST } }
  for (const { code, stdout } of both) {
    expect(code).toBe(4)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: "error", error: spent })
  }
  const made = server.requests.length
  expect(made).toBeGreaterThanOrEqual(MOST)
  expect(made).toBeLessThanOrEqual(MOST + 2)
  // What both have stored counts for a third.
  expect((await pawl([...args, "three"])).code).toBe(4)
  expect(server.requests).toHaveLength(made)
})
