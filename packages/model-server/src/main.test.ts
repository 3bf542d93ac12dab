import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text as readAll } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { chatBody, readToEnd } from "../test/chat-client.ts"

let folder: string
let child: ChildProcess | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-server-"))
})

afterEach(async () => {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  child = undefined
  await rm(folder, { recursive: true })
})

function start(...argv: string[]) {
  const main = join(import.meta.dirname, "main.ts")
  const started = spawn(process.execPath, ["--conditions=@pawl/source", main, ...argv], { stdio: "pipe" })
  child = started
  return started
}

async function startScript(script: string, ...argv: string[]) {
  const file = join(folder, "script.jsonl")
  await writeFile(file, script)
  const started = start(...argv, file)
  const [line] = (await once(started.stdout, "data")) as [Buffer]
  const { url, pid } = JSON.parse(line.toString()) as { url: string; pid: number }
  const ask = async (body: object = chatBody()) => {
    const response = await fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) })
    return { status: response.status, body: await response.text() }
  }
  return { started, url, pid, ask }
}

describe("pawl-model-server", () => {
  it("plays a script, logs the requests and stops when its input ends", async () => {
    const log = join(folder, "log.jsonl")
    const before = Date.now()
    const { started, pid, ask } = await startScript('{"text": "one"}\n{"text": "two"}', "--repeat", "--log", log)

    const answers = [await ask(), await ask(), await ask(chatBody({ seed: 7 }))]
    const lines = (await readFile(log, "utf8")).trimEnd().split("\n")
    started.stdin.end()
    const [code] = await once(started, "exit")

    expect(pid).toBe(started.pid)
    expect(code).toBe(0)
    expect(answers.map(({ body }) => body.match(/one|two/)?.[0])).toEqual(["one", "two", "one"])
    const entries = lines.map((line) => JSON.parse(line))
    expect(entries.map(({ body }) => body)).toEqual(
      [chatBody(), chatBody(), chatBody({ seed: 7 })].map((body) => JSON.stringify(body)),
    )
    expect(entries[0].path).toBe("/v1/chat/completions")
    expect(entries[0].receivedAt).toBeGreaterThan(before - 1_000)
    expect(entries[2].receivedAt).toBeLessThan(Date.now() + 1_000)
  })

  it.skipIf(process.platform === "win32")("stops on SIGTERM, with a client waiting", async () => {
    const { started, url } = await startScript('[{"text": "a"}, {"stall": true}]')
    const response = await fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(chatBody()) })
    const reading = readToEnd(response)

    started.kill("SIGTERM")
    const [code, signal] = await once(started, "exit")

    expect([code, signal]).toEqual([0, null])
    expect((await reading).complete).toBe(false)
  })

  it("passes its options on to the server", async () => {
    const { ask } = await startScript('{"text": "a"}', "--models", "small", "--no-strict")

    expect((await ask({ model: "large" })).status).toBe(404)
    expect((await ask({ model: "small" })).status).toBe(200)
  })

  it("names file and line of a script it cannot play", async () => {
    const file = join(folder, "script.jsonl")
    await writeFile(file, '{"text": "a"}\n{"txt": "b"}')

    const started = start(file)
    const [problem, [code]] = await Promise.all([readAll(started.stderr), once(started, "exit")])

    expect(code).toBe(1)
    expect(problem).toContain(`pawl-model-server: ${file}:2: Unknown step or reply "txt"`)
  })
})
