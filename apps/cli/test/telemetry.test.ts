import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import { collector } from "../../../plugins/otel/test/collector.ts"
import { jsonLines, workplace } from "./workplace.ts"

const HELLO = fileURLToPath(new URL("../demo/hello.jsonl", import.meta.url))

/** A run of a user who has the plugin. */
async function tracedRun(options: object, args: readonly string[] = []) {
  const { configuration, data, pawl } = await workplace()
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ plugin: [["otel", options]] }))
  const finished = await pawl(["run", "Say hi", "--script", HELLO, ...args])
  return { ...finished, log: await readFile(join(data, "log", "pawl.log"), "utf8") }
}

async function listening(status?: number) {
  const to = await collector(status)
  onTestFinished(async () => to[Symbol.asyncDispose]())
  return to
}

describe("pawl run with the plugin otel", () => {
  it("delivers the run's trace and metrics before it ends", async () => {
    const to = await listening()
    const { code, stderr } = await tracedRun({ endpoint: to.endpoint })
    expect(code).toBe(0)
    expect(stderr).not.toContain("not delivered")
    expect(to.spans().map(({ name }) => name)).toEqual(["chat replay/hello", "invoke_agent build"])
    expect(to.points("pawl.requests")).toMatchObject([{ value: 1 }])
  })

  it("says where nothing was delivered, and has done its work all the same", async () => {
    const { endpoint } = await listening(403)
    const { code, stdout, stderr, log } = await tracedRun({ endpoint }, ["--format", "json"])
    expect(code).toBe(0)
    const told = `Traces and metrics are not delivered to ${endpoint}: the answer was 403.`
    expect(stderr.split(told)).toHaveLength(2)
    expect(log.split(told)).toHaveLength(2)
    expect(jsonLines(stdout).map(({ type }) => type)).toEqual(["step_start", "text", "step_finish"])
  })

  it("ends where nobody answers", async () => {
    const to = await listening(0)
    const { code, stderr } = await tracedRun({ endpoint: to.endpoint })
    expect(code).toBe(0)
    expect(stderr).toContain("no answer came in time")
    expect(to.requests.length).toBeGreaterThan(0)
  })

  it("names an option that is none, and goes on without", async () => {
    const { code, stderr } = await tracedRun({ endpoint: "ftp://example.com", interval: "often" })
    expect(code).toBe(0)
    expect(stderr).toContain(
      "Plugin otel did not start, and is left out: endpoint: must be an address that begins with",
    )
    expect(stderr).toContain("interval: ")
  })
})
