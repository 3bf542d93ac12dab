// Clients of a server in a process of their own: they follow events, send prompts, and measure how late words arrive.
import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { readInput } from "../measure/input.ts"
import { percentile } from "../measure/statistics.ts"

export interface EventClientsInput {
  readonly address: string
  readonly token: string
  readonly directory: string
  readonly sessions: number
  /** Clients that follow a session. They are spread over the sessions. */
  readonly clients: number
  /** Words of each answer, 80 a second. */
  readonly words: number
  /** Clients that follow everything and read 1 kB a second, and as many that never read. Default: 0 */
  readonly slow?: number
  /** Clients that connect and are cut while the answers stream. Default: 0 */
  readonly cut?: number
}

export interface EventClientsResult {
  /** Milliseconds from the word's sending by the model to its arrival, 50th and 99th percentile. */
  readonly p50: number
  readonly p99: number
  /** Milliseconds of a request for the server's health meanwhile, 99th percentile. */
  readonly healthP99: number
  readonly received: number
  readonly lost: number
  readonly reordered: number
}

const { address, token, directory, sessions, clients, words, slow = 0, cut = 0 } = readInput() as EventClientsInput
const headers = { authorization: `Bearer ${token}`, "x-opencode-directory": directory }
const latencies: number[] = []
let received = 0
let reordered = 0

const ids: string[] = []
for (let n = 0; n < sessions; n++) ids.push(await createSession())
const followers = Array.from({ length: clients }, (_, n) => follow(ids[n % ids.length] ?? ""))
await Promise.all(followers.map(({ connected }) => connected))
const sockets = [...Array.from({ length: slow }, () => raw(true)), ...Array.from({ length: slow }, () => raw(false))]
const health: number[] = []
const pinging = new AbortController()
const pings = ping()
const cuts = cutClients()
await Promise.all(
  ids.map((id) => post(`/session/${id}/prompt_async`, { parts: [{ type: "text", text: `Stream ${words} words` }] })),
)
await Promise.all(followers.map(({ done }) => done))
pinging.abort()
await Promise.all([pings, cuts])
for (const socket of sockets) socket.destroy()
const result: EventClientsResult = {
  p50: percentile(latencies, 50),
  p99: percentile(latencies, 99),
  healthP99: percentile(health, 99),
  received,
  lost: clients * words - received,
  reordered,
}
process.send?.(result)
process.disconnect()

async function post(path: string, body: object): Promise<Response> {
  return fetch(`${address}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
}

async function createSession(): Promise<string> {
  return ((await (await post("/session", {})).json()) as { id: string }).id
}

/** Follows a session until its answer is complete. */
function follow(id: string) {
  const connected = Promise.withResolvers<void>()
  const run = async () => {
    const response = await fetch(`${address}/event?sessionID=${id}`, { headers })
    const decoder = new TextDecoder()
    let [text, last] = ["", 0]
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      connected.resolve()
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      const now = Date.now()
      for (const block of blocks) {
        if (block.includes('"session.idle"')) return
        if (!block.includes('"message.part.delta"')) continue
        for (const [stamp] of (/"delta":"([^"]*)"/.exec(block)?.[1] ?? "").matchAll(/\d{13}/g)) {
          received++
          latencies.push(now - Number(stamp))
          if (Number(stamp) < last) reordered++
          last = Number(stamp)
        }
      }
    }
  }
  return { connected: connected.promise, done: run() }
}

/** A connection that follows everything, and reads 1 kB a second or nothing. */
function raw(isReading: boolean) {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const head = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`GET /global/event HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`)
  socket.on("error", () => undefined)
  socket.pause()
  if (!isReading) return socket
  const timer = setInterval(() => void socket.read(1000), 1000)
  socket.on("readable", () => undefined)
  socket.on("close", () => clearInterval(timer))
  return socket
}

async function ping(): Promise<void> {
  while (!pinging.signal.aborted) {
    const sent = performance.now()
    await (await fetch(`${address}/global/health`, { headers })).text()
    health.push(performance.now() - sent)
    await delay(20)
  }
}

/** Connects clients that are cut at once. */
async function cutClients(): Promise<void> {
  for (let n = 0; n < cut; n++) {
    const socket = raw(false)
    await once(socket, "connect").catch(() => undefined)
    await delay(2)
    socket.destroy()
  }
}
