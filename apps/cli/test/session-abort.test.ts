import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { connect } from "@pawl/client"
import { expect, it } from "vitest"
import { jsonLines, workplace, type Workplace } from "./workplace.ts"

/** Writes a script whose model never ends its answer, and returns the options that play it. */
async function endless(place: Workplace): Promise<readonly string[]> {
  const path = join(place.configuration, "endless.jsonl")
  await writeFile(path, `${JSON.stringify({ reply: [{ text: "Half an answer" }, { stall: true }] })}\n`)
  return ["--script", path]
}

async function newestID(place: Workplace): Promise<string> {
  const [{ id } = { id: "" }] = jsonLines((await place.pawl(["session", "list", "--format", "json"])).stdout)
  return String(id)
}

async function printed(stdout: NodeJS.ReadableStream | null, words: string): Promise<void> {
  let shown = ""
  stdout?.on("data", (text: string) => (shown += text))
  await expect.poll(() => shown).toContain(words)
}

it("ends the run of another process, which stores what it has", async () => {
  const place = await workplace()
  const run = place.start(["run", ...(await endless(place)), "work"])
  await printed(run.child.stdout, "Half an answer")
  const id = await newestID(place)
  const unsure = await place.pawl(["session", "abort", id])
  expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining(`process ${run.child.pid} (`)])
  expect(unsure.stderr).toContain("Pass --yes.")
  const aborted = await place.pawl(["session", "abort", "--yes", id])
  expect(aborted).toMatchObject({ code: 0, stderr: expect.stringContaining(`The run of session ${id} has ended.`) })
  expect((await run.finished).code).toBe(130)
  expect((await place.pawl(["session", "show", id])).stdout).toContain("Half an answer")
  const again = await place.pawl(["session", "abort", id])
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("is not running") })
})

it("lets a server end its run and go on serving", async () => {
  const place = await workplace()
  const server = place.start(["serve", ...(await endless(place))])
  await server.said("oken")
  const client = await connect({ dataDirectory: place.data })
  const { id } = await client.call("session.create", { body: {} })
  const path = { sessionID: id }
  const answer = client.call("session.prompt", { path, body: { parts: [{ type: "text", text: "Go" }] } })
  await expect.poll(async () => client.call("session.status", {})).toEqual({ [id]: { type: "busy" } })
  const aborted = await place.pawl(["session", "abort", id])
  expect(aborted).toMatchObject({ code: 0, stderr: expect.stringContaining("The server has ended the run") })
  expect((await answer).info).toMatchObject({ error: { name: "MessageAbortedError" } })
  expect(await client.call("global.health", {})).toMatchObject({ healthy: true })
  server.child.kill("SIGINT")
  expect((await server.finished).code).toBe(0)
})
