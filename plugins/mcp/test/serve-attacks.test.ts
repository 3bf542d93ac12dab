import { once } from "node:events"
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http"
import { connect as connectSocket } from "node:net"
import { text } from "node:stream/consumers"
import { expect, it } from "vitest"
import { serveScene, TOKEN } from "./serve-scene.ts"

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const fine = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
}
const introduction = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
})

async function place() {
  const scene = await serveScene()
  const { port, hostname } = new URL(scene.url)
  async function send({
    method = "POST",
    path = "/mcp",
    headers = fine,
    body = introduction,
  }: Sent): Promise<Answered> {
    const sent = request({ host: hostname, port, method, path, headers, agent: false })
    // What is refused is not read to its end.
    sent.on("error", () => undefined)
    sent.end(method === "GET" ? undefined : body)
    const [response] = await once(sent, "response")
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  return { ...scene, send, port: Number(port), hostname }
}

it("lets nobody in without the token, however a request is made, and opens nothing for them", async () => {
  const { send, opened, port } = await place()
  const { authorization: _, ...without } = fine
  const statusOf = async (sent: Sent) => (await send(sent)).status
  expect(await statusOf({ headers: without })).toBe(401)
  expect(await statusOf({ headers: { ...fine, authorization: "Bearer wrong" } })).toBe(401)
  expect(await statusOf({ headers: without, path: `/mcp?token=${TOKEN}&access_token=${TOKEN}` })).toBe(401)
  expect(await statusOf({ headers: { ...without, cookie: `token=${TOKEN}` } })).toBe(401)
  expect(await statusOf({ headers: without, method: "GET" })).toBe(401)
  expect(await statusOf({ headers: without, method: "DELETE" })).toBe(401)
  expect(await statusOf({ headers: { ...without, host: `evil.example:${port}` } })).toBe(403)
  expect(opened).toEqual([])
})

it("tells what a refusal is for, and shows no page anything", async () => {
  const { send, port } = await place()
  const refused = await send({ headers: { ...fine, authorization: "Bearer wrong" } })
  expect(refused.headers["www-authenticate"]).toBe('Bearer realm="pawl"')
  expect(JSON.parse(refused.body)).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } })

  const preflight = { origin: "https://evil.example", "access-control-request-method": "POST" }
  const answers = [
    refused,
    await send({ method: "OPTIONS", headers: preflight }),
    await send({ method: "OPTIONS", headers: { ...preflight, origin: `http://127.0.0.1:${port}` } }),
    await send({ headers: { ...fine, origin: "https://evil.example" } }),
    await send({ headers: { ...fine, origin: "null" } }),
    await send({ headers: { ...fine, origin: `http://localhost:${port}` } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 401, 403, 403, 200])
  for (const { headers } of answers) {
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([])
  }
})

it.each(["evil.example", "evil.example:PORT", "127.0.0.1", "[::1]:PORT", "127.0.0.1:PORT.evil.example"])(
  "refuses the host %s, with the token too",
  async (host) => {
    const { send, port } = await place()
    expect((await send({ headers: { ...fine, host: host.replace("PORT", String(port)) } })).status).toBe(403)
  },
)

it("takes one Host header, and only one request for each length of body that is said", async () => {
  const { port, hostname } = await place()
  const raw = async (text: string) => {
    const socket = connectSocket({ host: hostname, port })
    let received = ""
    socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk))
    socket.on("error", () => undefined)
    socket.write(text)
    await once(socket, "close")
    return received.split("\r\n")[0]
  }
  const head = (lines: string) => `POST /mcp HTTP/1.1\r\n${lines}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
  expect(await raw(head("X: y"))).toContain("400")
  expect(await raw(head(`Host: evil.example\r\nHost: 127.0.0.1:${port}`))).toContain("403")
  expect(
    await raw(`POST http://127.0.0.1:${port}/mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
  ).toContain("404")
  expect(await raw(head(`Host: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked`))).toContain("400")
  expect(await raw(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${"x".repeat(20_000)}\r\n\r\n`)).toContain(
    "431",
  )
  expect(await raw("nonsense\r\n\r\n")).toContain("400")
})

it("reads no body beyond its limit", async () => {
  const { send } = await place()
  const huge = "x".repeat(5 * 1024 * 1024)
  expect((await send({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: huge }) })).status).toBe(413)
  const { status } = await send({ headers: { ...fine, "transfer-encoding": "chunked" }, body: huge })
  expect(status).toBe(413)
  expect((await send({ headers: { ...fine, "content-length": 10 ** 12 }, body: "{" })).status).toBe(413)
})

it.each<[number, Sent]>([
  [400, { method: "GET", headers: { ...fine, accept: "text/event-stream" } }],
  [400, { method: "DELETE", body: "" }],
  [400, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }],
  [400, { body: "{" }],
  [400, { body: "[".repeat(100_000) }],
  [404, { headers: { ...fine, "mcp-session-id": "00000000-0000-0000-0000-000000000000" } }],
  [404, { method: "GET", headers: { ...fine, "mcp-session-id": "__proto__" } }],
  [404, { path: "/" }],
  [405, { method: "PUT" }],
  [406, { headers: { ...fine, accept: "text/html" } }],
  [415, { headers: { ...fine, "content-type": "text/plain" } }],
])("answers %i to %j", async (status, sent) => {
  const { send, opened } = await place()
  expect((await send(sent)).status).toBe(status)
  expect(opened).toEqual([])
})

it("shows no client another one's answers for knowing its call", async () => {
  const { send, connect } = await place()
  const { transport, tool } = await connect()
  const working = tool("session_prompt", { prompt: "hello" })
  const second = await send({ method: "GET", headers: { ...fine, "mcp-session-id": `${transport.sessionId}x` } })
  expect(second.status).toBe(404)
  expect((await working).structuredContent).toMatchObject({ text: "You said: hello" })
})

it("makes room for new clients where others have left without a word", async () => {
  const { send, connect } = await place()
  const { tool } = await connect()
  const first = (await send({})).headers["mcp-session-id"]
  for (let count = 0; count < 64; count++) expect((await send({})).status).toBe(200)
  const list = { ...fine, "mcp-session-id": first, "mcp-protocol-version": "2025-06-18" }
  const body = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
  expect((await send({ headers: list, body })).status).toBe(404)
  // It listens all the time.
  expect((await tool("session_list")).isError).not.toBe(true)
})
