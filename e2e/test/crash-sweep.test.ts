import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SessionID } from "@pawl/core"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { afterAll, describe, expect, it } from "vitest"
import { bundleProgram } from "../../bundle.base.ts"

// A turn of five replies with six calls is killed at every commit, and at a sample of the writes that SQLite makes,
// and continued in a new process. The model server is strict: it answers 400 to a history that is not valid.

const script = () => [
  reply(text("Marking two."), call("mark", { text: "one" }, { id: "a1" }), call("mark", { text: "two" }, { id: "a2" })),
  reply(call("mark", { text: "three" }, { id: "a3" })),
  reply(text("Once more."), call("mark", { text: "four" }, { id: "a4" })),
  reply(call("mark", { text: "five" }, { id: "a5" })),
  reply(text("And again."), call("mark", { text: "six" }, { id: "a6" })),
  reply(text("All marked.")),
]

const scratch = mkdtempSync(join(tmpdir(), "pawl-crash-"))
const turn = await bundleProgram(fileURLToPath(new URL("../src/turn.ts", import.meta.url)), scratch)
afterAll(() => rm(scratch, { recursive: true, force: true }))

describe("a turn killed at a commit", async () => {
  const commits = await countCommits()
  const points = Array.from({ length: commits }, (_, n) => [`before:${n + 1}`, `after:${n + 1}`]).flat()

  it("has as many commits as the sweep needs to mean something", () => {
    expect(commits).toBeGreaterThan(12)
  })

  it.concurrent.each(points)("%s is continued", (point) => checkKilled(["--kill", point]))
})

const strace = spawnSync("strace", ["-V"]).status === 0
describe.skipIf(!strace)(
  `a turn killed at a write of the database${strace ? "" : " (skipped: strace is not installed)"}`,
  async () => {
    const every = Number(process.env["TEST_CRASH_EVERY"] ?? 15)
    const writes = strace ? await countWrites() : 0
    const points = Array.from({ length: Math.floor(writes / every) }, (_, n) => n * every + 1)

    it("has as many writes as the sweep needs to mean something", () => {
      expect(writes).toBeGreaterThan(50)
    })

    it.concurrent.each(points)("number %i is continued", (n) => checkKilled([], `signal=KILL:when=${n}`))
  },
)

async function checkKilled(options: string[], inject?: string): Promise<void> {
  const directory = await mkdtemp(join(scratch, "run-"))
  const database = join(directory, "pawl.db")
  await using first = await modelServer({ replies: script() })
  const killed = await runTurn(first.url, [database, directory, "Mark all", ...options], inject)
  // What an answer cost is committed by itself only if its calls take a while, so a fast turn may end before the last point.
  if (killed.status === 0 && inject === undefined) {
    const point = Number(options.at(-1)?.split(":")[1])
    expect(commitsOf(killed)).toBeLessThan(point)
    expect(point).toBeGreaterThan(12)
    return
  }
  expect(killed.signal ?? killed.status).not.toBe(0)

  const sessionID = killed.lines[0] as SessionID | undefined
  await using second = await modelServer({ replies: [reply(text("Going on."))] })
  // Killed before its first commit was durable, the session was never announced.
  const continued = await runTurn(second.url, [
    database,
    directory,
    "Go on",
    ...(sessionID ? ["--session", sessionID] : []),
  ])

  expect(continued.errors).toBe("")
  expect(continued.lines.at(-1)).toBe("answered")
  expect(second.requests.map(({ status }) => status)).toEqual([200])
  const storage = await sqliteStorage({ path: database })
  const { messages } = await storage.readContext(continued.lines[0] as SessionID)
  await storage.close()
  for (const { info, parts } of messages) {
    if (info.role === "assistant") expect(info.time.completed).toBeDefined()
    for (const part of parts) if (part.type === "tool") expect(["completed", "error"]).toContain(part.state.status)
  }
  const marks = (await readFile(join(directory, "marks.txt"), "utf8").catch(() => "")).split("\n").filter(Boolean)
  expect(new Set(marks).size).toBe(marks.length)
}

async function countCommits(): Promise<number> {
  return commitsOf(await wholeTurn([]))
}

function commitsOf({ lines }: { readonly lines: readonly string[] }): number {
  return Number.parseInt(lines.at(-2) ?? "", 10)
}

async function countWrites(): Promise<number> {
  const log = join(tmpdir(), `pawl-strace-${process.pid}`)
  await wholeTurn([], log)
  const text = await readFile(log, "utf8")
  await rm(log)
  return text.split("\n").filter((line) => /pwrite64\(|fdatasync\(|ftruncate\(/.test(line)).length
}

async function wholeTurn(options: string[], log?: string) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-whole-"))
  await using server = await modelServer({ replies: script() })
  const result = await runTurn(
    server.url,
    [join(directory, "pawl.db"), directory, "Mark all", ...options],
    undefined,
    log,
  )
  expect(result.errors).toBe("")
  await rm(directory, { recursive: true })
  return result
}

const CALLS = "pwrite64,fdatasync,ftruncate"

async function runTurn(url: string, args: string[], inject?: string, log?: string) {
  const node = [process.execPath, turn, ...args]
  const traced = inject
    ? ["strace", "-qq", "-o", "/dev/null", "-e", `trace=${CALLS}`, "-e", `inject=${CALLS}:${inject}`]
    : []
  const counted = log ? ["strace", "-qq", "-o", log, "-e", `trace=${CALLS}`] : []
  const [command = "", ...rest] = [...traced, ...counted, ...node]
  const env = { ...process.env, MODEL_URL: url }
  const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  let errors = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  const [status, signal] = (await once(child, "close")) as [number | null, string | null]
  return { status, signal, lines: output.split("\n").filter(Boolean), errors }
}
