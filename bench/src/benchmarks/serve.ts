import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { EventClientsInput, EventClientsResult } from "../children/event-clients.ts"
import { openChild, runChild } from "../measure/child.ts"
import { cli, installPawl } from "../measure/pawl.ts"
import type { Scratch } from "../measure/scratch.ts"
import { milliseconds } from "../report/amount.ts"
import type { Row } from "../report/row.ts"
import type { Benchmark } from "./benchmark.ts"

const modelScript = new URL("../children/paced-model.ts", import.meta.url)
const clientsScript = new URL("../children/event-clients.ts", import.meta.url)

/** Milliseconds in which the memory of closed connections is freed. */
const SETTLE_MS = 2000

export const serve: Benchmark = {
  name: "serve",
  summary: "a server with many streaming sessions and many clients, slow and dead ones among them",
  async run({ scratch, quick, full, smallest }) {
    const size = smallest ? 0.04 : quick ? 0.2 : 1
    const words = smallest ? 40 : quick ? 200 : 800
    const model = openChild(modelScript)
    try {
      const url = await model.receive<string>()
      const few = await measured(scratch, url, { sessions: 4, clients: 8, words })
      const many = await measured(scratch, url, { sessions: 100 * size, clients: 200 * size, words })
      const hostile = await measured(scratch, url, {
        ...{ sessions: 4, clients: 8, words },
        ...{ slow: Math.max(2, 10 * size), cut: 1000 * size },
      })
      const most = full ? [await measured(scratch, url, { sessions: 500, clients: 1000, words })] : []
      const idle = await measureIdle(scratch, url, { sessions: 10_000 * size, clients: 1000 * size })
      return [
        ...streamRows(few, many),
        ...most.map((each) => lateRow("500 sessions, 1,000 clients: a word arrives, p99", each, 500)),
        ...hostileRows(few, hostile),
        ...idleRows(idle),
      ]
    } finally {
      await model.close()
    }
  },
}

interface Measured extends EventClientsResult {
  readonly load: Pick<EventClientsInput, "sessions" | "clients">
  /** MiB before and after the clients, and the highest. */
  readonly before: number
  readonly after: number
  readonly peak: number
  /** Share of one core while the answers streamed. */
  readonly cores: number
}

async function measured(
  scratch: Scratch,
  model: string,
  load: Omit<EventClientsInput, "address" | "token" | "directory">,
): Promise<Measured> {
  await using server = await startServer(scratch, model)
  // The first session opens the directory.
  await server.post("/session")
  const before = (await server.memory()).now
  const [used, began] = [await server.cpuSeconds(), performance.now()]
  const result = await runChild<EventClientsResult>(clientsScript, { ...load, ...server.access })
  const cores = ((await server.cpuSeconds()) - used) / ((performance.now() - began) / 1000)
  await delay(SETTLE_MS)
  const { now: after, peak } = await server.memory()
  return { ...result, load, before, after, peak, cores }
}

interface Idle {
  readonly sessions: number
  readonly clients: number
  /** KiB a session, and KiB a client. */
  readonly session: number
  readonly client: number
}

async function measureIdle(
  scratch: Scratch,
  model: string,
  { sessions, clients }: Pick<EventClientsInput, "sessions" | "clients">,
): Promise<Idle> {
  await using server = await startServer(scratch, model)
  for (let n = 0; n < 50; n++) await server.post("/session")
  await delay(SETTLE_MS)
  const first = (await server.memory()).now
  for (let n = 0; n < sessions; n++) await server.post("/session")
  await delay(SETTLE_MS)
  const second = (await server.memory()).now
  const controller = new AbortController()
  for (let n = 0; n < clients; n++) {
    const { body } = await fetch(`${server.access.address}/global/event`, {
      headers: server.headers,
      signal: controller.signal,
    })
    const reader = body?.getReader()
    await reader?.read()
  }
  await delay(SETTLE_MS)
  const third = (await server.memory()).now
  controller.abort()
  const kib = (mebibytes: number, count: number) => Math.max(0, (mebibytes * 1024) / count)
  return { sessions, clients, session: kib(second - first, sessions), client: kib(third - second, clients) }
}

async function startServer(scratch: Scratch, model: string) {
  const pawl = await installPawl(scratch)
  const args = [cli, "serve", "--model", "local/scripted", "--base-url", model]
  const child = spawn(process.execPath, args, {
    cwd: pawl.project,
    env: pawl.environment,
    stdio: ["ignore", "ignore", "pipe"],
  })
  const address = await addressOf(child)
  const token = (await readFile(join(pawl.data, "serve-token"), "utf8")).trim()
  const access = { address, token, directory: pawl.project }
  const headers = { authorization: `Bearer ${token}`, "x-opencode-directory": pawl.project }
  const status = async () => readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "")
  const mebibytes = (text: string, name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? Number.NaN) / 1024
  return {
    access,
    headers,
    async post(path: string) {
      const json = { ...headers, "content-type": "application/json" }
      await (await fetch(`${address}${path}`, { method: "POST", headers: json, body: "{}" })).text()
    },
    async memory() {
      const text = await status()
      return { now: mebibytes(text, "VmRSS"), peak: mebibytes(text, "VmHWM") }
    },
    /** Seconds of CPU that the server has used. */
    async cpuSeconds() {
      const fields = (await readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => "")).split(" ")
      return (Number(fields[13]) + Number(fields[14])) / 100
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, "exit")
      child.kill("SIGTERM")
      await exit
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let shown = ""
  for await (const chunk of child.stderr ?? []) {
    shown += String(chunk)
    const address = /at (http:\S+) until/.exec(shown)?.[1]
    if (address !== undefined && shown.includes("token")) {
      child.stderr?.resume()
      return address
    }
  }
  throw new Error(`pawl serve ended before it listened: ${shown}`)
}

function lateRow(what: string, { p50, p99, load, healthP99 }: Measured, atMost: number): Row {
  const { sessions, clients } = load
  const from = `${sessions} sessions, ${clients} clients; p50 ${milliseconds(p50)}, health request p99 ${milliseconds(healthP99)}`
  const goal = { atMost, informative: true }
  return { benchmark: "serve", what, result: p99, unit: "ms", goal, from, samples: { p99: [p99] } }
}

function streamRows(few: Measured, many: Measured): Row[] {
  const count = `${many.load.sessions} sessions, ${many.load.clients} clients`
  const words = many.received + many.lost
  return [
    lateRow("a word of 80 a second arrives, p99", many, 100),
    {
      ...{ benchmark: "serve", what: "the same / with 4 sessions and 8 clients", unit: "×" },
      result: many.p99 / Math.max(1, few.p99),
      from: `${milliseconds(many.p99)} and ${milliseconds(few.p99)}`,
      samples: { many: [many.p99], few: [few.p99] },
    },
    {
      ...{ benchmark: "serve", what: "words lost or out of order", unit: "%", goal: { atMost: 0 } },
      result: (100 * (Math.abs(many.lost) + many.reordered)) / words,
      from: `${many.received} of ${words} words, ${many.reordered} out of order`,
      samples: { lost: [many.lost], reordered: [many.reordered] },
    },
    {
      ...{ benchmark: "serve", what: "highest memory of the server", unit: "MiB" },
      result: many.peak,
      goal: { atMost: 400, informative: true },
      from: count,
      samples: { peak: [many.peak] },
    },
    {
      ...{ benchmark: "serve", what: "CPU of the server, of one core", unit: "%" },
      result: 100 * many.cores,
      goal: { atMost: 100, informative: true },
      from: count,
      samples: { cores: [many.cores] },
    },
  ]
}

function hostileRows(few: Measured, hostile: Measured): Row[] {
  return [
    {
      ...{ benchmark: "serve", what: "a word arrives, with slow, dead and cut clients / without", unit: "×" },
      result: Math.max(1, hostile.p99) / Math.max(1, few.p99),
      from: `p99 ${milliseconds(hostile.p99)} and ${milliseconds(few.p99)}`,
      samples: { hostile: [hostile.p99], few: [few.p99] },
    },
    {
      ...{ benchmark: "serve", what: "memory that such clients leave behind", unit: "MiB" },
      result: Math.max(0, hostile.after - few.after),
      goal: { atMost: 20, informative: true },
      from: `${hostile.after.toFixed(0)} MiB, without them ${few.after.toFixed(0)} MiB`,
      samples: { hostile: [hostile.after], few: [few.after] },
    },
  ]
}

function idleRows({ sessions, clients, session, client }: Idle): Row[] {
  const row = (what: string, kib: number, atMost: number, from: string): Row => {
    const goal = { atMost, informative: true }
    return { benchmark: "serve", what, result: kib, unit: "KiB", goal, from, samples: { kib: [kib] } }
  }
  return [
    row("memory of an idle session", session, 4, `${sessions} sessions`),
    row("memory of an idle client", client, 60, `${clients} clients`),
  ]
}
