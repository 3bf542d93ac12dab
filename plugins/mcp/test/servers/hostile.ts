// A server that keeps to the protocol as far as its environment says. It speaks the wire itself: no library would.
import { createInterface } from "node:readline"
import { appendFileSync, existsSync } from "node:fs"

const { HOSTILE = "", FIXTURE_LOG } = process.env
const note = (text: string) => FIXTURE_LOG && appendFileSync(FIXTURE_LOG, `${text}\n`)
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const changed = () => send({ method: "notifications/tools/list_changed" })
const nested = (depth: number) => `${'{"properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`

let version = 0
const lists: Record<string, (cursor: unknown) => string> = {
  deep: () => `{"tools":[{"name":"deep","inputSchema":${nested(100_000)}},{"name":"plain"}]}`,
  cycle: () => '{"tools":[{"name":"cycle","inputSchema":{"$ref":"#","$defs":{"a":{"$ref":"#/$defs/a"}}}}]}',
  many: () => {
    const description = existsSync(`${FIXTURE_LOG}.other`) ? "other" : "first"
    return JSON.stringify({ tools: Array.from({ length: 20_000 }, (_, at) => ({ name: `tool${at}`, description })) })
  },
  slow: (cursor) =>
    JSON.stringify({ tools: [{ name: `at${Number(cursor ?? 0)}` }], nextCursor: String(Number(cursor ?? 0) + 1) }),
  storm: () => JSON.stringify({ tools: [{ name: "one", description: `version ${version++}` }] }),
  names: () =>
    JSON.stringify({
      tools: ["\u001b[31mred\nline", "__proto__", "constructor", "ünï\u202Ecode", "x".repeat(500)].map((name) => ({
        name,
      })),
    }),
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as {
    id?: number
    method?: string
    params?: { cursor?: unknown; protocolVersion?: string }
  }
  if (method === "initialize") {
    const protocolVersion = HOSTILE === "version" ? "1999-01-01" : params?.protocolVersion
    send({
      id,
      result: {
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "hostile", version: "1" },
      },
    })
  } else if (method === "tools/list") {
    note("list")
    const answer = () =>
      process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"result":${lists[HOSTILE]?.(params?.cursor) ?? '{"tools":[{"name":"one"}]}'}}\n`,
      )
    if (HOSTILE === "slow") setTimeout(answer, 100)
    else answer()
    if (HOSTILE === "storm") changed()
  } else if (method === "tools/call") {
    note("call")
    if (HOSTILE === "deaf") {
      // Asks and asks, and does not read what it is answered.
      process.stdin.pause()
      // Answers name the request: long ids make long answers.
      const asked = `${JSON.stringify({ jsonrpc: "2.0", id: "p".repeat(100_000), method: "ping" })}\n`
      const flood = () => void process.stdout.write(asked, flood)
      flood()
      return
    }
    if (HOSTILE === "error")
      return void send({ id, error: { code: -32000, message: `\u001b[2J${"x".repeat(5_000_000)}` } })
    if (HOSTILE === "unauthorized") return void send({ id, error: { code: 401, message: "no" } })
    if (HOSTILE === "stopped") return void process.kill(process.pid, "SIGSTOP")
    if (HOSTILE === "noise") {
      const message = { level: "info", data: "x".repeat(5_000_000) }
      send({ method: "notifications/message", params: message })
      process.stderr.write("y".repeat(3_000_000))
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"res\n[]\nnull\n\0\n{"id":1}\n`)
      send({ id: 999_999, result: {} })
      send({ method: "notifications/progress", params: { progressToken: 7, progress: 1 } })
    }
    send({ id, result: { content: [{ type: "text", text: "called" }] } })
  }
})
