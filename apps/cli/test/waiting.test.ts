import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer, pings, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

async function silentRun(...options: string[]) {
  const here = await desk()
  await using server = await modelServer({
    replies: [reply(text("So far."), pings({ every: 20, times: 20 }), text(" Done."))],
  })
  await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ deadlines: { waiting_ms: 100 } }))
  return await here.pawl("run", "-m", "custom/test", "--base-url", server.url, ...options, "well?")
}

it("says in a pipe what a silent model is waited for, with the text so far", async () => {
  const { code, stdout, stderr } = await silentRun()
  expect({ code, stdout }).toEqual({ code: 0, stdout: "So far. Done.\n" })
  expect(stderr).toMatch(
    /^waiting for custom\/test for \d+s: its server keeps the connection alive · so far: So far\.$/m,
  )
})

it("says it in JSON as well", async () => {
  const { code, stdout } = await silentRun("--json")
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(code).toBe(0)
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...{ type: "waiting", isAlive: true, text: "So far.", model: { providerID: "custom", modelID: "test" } },
      waited: expect.any(Number) as number,
    }),
  )
})

it("says nothing if only the answer is wanted", async () => {
  expect((await silentRun("--quiet")).stderr).toBe("")
})
