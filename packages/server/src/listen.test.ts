import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises"
import { request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { createOpencodeClient } from "@opencode-ai/sdk"
import type { ToolContext } from "@pawl/core/tool"
import { call, finish } from "@pawl/provider-replay"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it, onTestFinished } from "vitest"
import { following, type Seen } from "../test/following.ts"
import { got, serving, type Serving, type ServingOptions } from "../test/serving.ts"
import { createServer, listen, type ListenOptions } from "./index.ts"

const TOKEN = "t0ken_of-the-test"

interface Listening {
  readonly address: string
  readonly directories: ReadonlyMap<string, Serving>
  readonly opened: readonly string[]
  readonly closed: readonly string[]
  readonly main: Serving
  readonly stop: () => Promise<void>
  readonly fetch: (path: string, init?: TestRequest) => Promise<Response>
}

interface TestRequest {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A server that listens, with a directory that is its default and others that are opened when asked for. */
async function listening(
  options: Partial<Pick<ListenOptions, "origins" | "target">> & {
    readonly maxIdleMs?: number
    readonly serving?: ServingOptions
  } = {},
): Promise<Listening> {
  const storage = memoryStorage()
  const main = await serving({ ...options.serving, storage })
  const directories = new Map([[await realpath(main.directory), main]])
  const opened: string[] = []
  const closed: string[] = []
  const controller = new AbortController()
  const { maxIdleMs } = options
  const server = createServer({
    directory: main.directory,
    version: "9.9.9",
    ...(maxIdleMs === undefined ? {} : { maxIdleMs }),
    async open(directory) {
      opened.push(directory)
      const found = directories.get(directory) ?? (await serving({ ...options.serving, storage }))
      directories.set(directory, found)
      return { host: { ...found.host, directory }, close: async () => void closed.push(directory) }
    },
  })
  const { promise, resolve } = Promise.withResolvers<string>()
  const { target = { port: 0 }, origins } = options
  const done = listen(server, {
    ...{ target, token: TOKEN, signal: controller.signal, onListening: resolve },
    ...(origins ? { origins } : {}),
  })
  const address = await Promise.race([promise, done.then(() => "")])
  const stop = async () => {
    controller.abort()
    await done
  }
  onTestFinished(async () => {
    await stop()
    for (const each of directories.values()) await each[Symbol.asyncDispose]()
  })
  const withToken = { authorization: `Bearer ${TOKEN}` }
  return {
    ...{ address, directories, opened, closed, main, stop },
    fetch: (path, init) => fetch(`${address}${path}`, { ...init, headers: { ...withToken, ...init?.headers } }),
  }
}

/** Sends a request as it is written here, which `fetch` would not. */
async function raw(address: string, path: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  const { hostname, port } = new URL(address)
  const sent = request({ hostname, port, path, method, headers, setHost: headers["host"] === undefined })
  sent.end()
  return new Promise((resolve, reject) => {
    sent.on("response", (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on("error", reject)
  })
}

it("drives OpenCode's own client, with the token as the password of Basic", async () => {
  const { address, main } = await listening()
  const authorization = `Basic ${Buffer.from(`opencode:${TOKEN}`).toString("base64")}`
  const client = createOpencodeClient({
    ...{ baseUrl: address, directory: main.directory, headers: { authorization } },
  })
  const { id } = got(await client.session.create({ body: { title: "one" } }))
  const answer = got(await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: "Hi" }] } }))
  expect(answer.parts).toContainEqual(expect.objectContaining({ type: "text", text: "Done." }))
})

it("keeps idle connections for a minute, so that the next request of a client finds its own open", async () => {
  const { fetch } = await listening()
  expect((await fetch("/global/health")).headers.get("keep-alive")).toBe("timeout=65")
})

it("lists the sessions of a directory that is gone", async () => {
  const { main, fetch } = await listening()
  const gone = join(main.directory, "gone")
  const { id } = await main.engine.createSession({ directory: gone, title: "Before" })
  const answer = await fetch(`/api/session?${new URLSearchParams({ directory: gone }).toString()}`)
  expect(await answer.json()).toMatchObject({ data: [{ id, title: "Before" }] })
})

it("refuses requests without the token, from other pages, and for other hosts", async () => {
  const { address } = await listening()
  const { port, host } = new URL(address)
  const authorization = `Bearer ${TOKEN}`
  const json = { "content-type": "application/json" }
  const attacks: [number, Record<string, string>, string?, string?][] = [
    [401, {}],
    [401, { authorization: "Bearer wrong" }],
    [401, { authorization: `Basic ${Buffer.from(TOKEN).toString("base64")}` }],
    [401, {}, "/session?token=" + TOKEN],
    [403, { authorization, host: `evil.example:${port}` }],
    [403, { authorization, host: "evil.example" }],
    [403, { authorization, host: "127.0.0.1" }],
    [403, { authorization, host: `127.0.0.1:${port}.evil.example` }],
    [403, { authorization, origin: "https://evil.example" }],
    [403, { authorization, origin: "null" }],
    [403, { ...json, origin: "https://evil.example" }, "/session", "POST"],
    [403, { authorization, origin: `http://evil.${host}` }],
    [403, { origin: "https://evil.example", "access-control-request-method": "POST" }, "/session", "OPTIONS"],
    [400, { authorization }, `http://127.0.0.1:${port}/session`],
  ]
  for (const [status, headers, path = "/session", method] of attacks) {
    expect([await raw(address, path, headers, method), headers, path]).toEqual([status, headers, path])
  }
})

it("serves pages of named origins, and no others", async () => {
  const { address, fetch } = await listening({ origins: ["https://app.example"] })
  const origin = "https://app.example"
  const preflight = await globalThis.fetch(`${address}/session`, { method: "OPTIONS", headers: { origin } })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get("access-control-allow-origin")).toBe(origin)
  const response = await fetch("/session", { headers: { origin } })
  expect(response.status).toBe(200)
  expect(response.headers.get("access-control-allow-origin")).toBe(origin)
  expect((await fetch("/session", { headers: { origin: "https://other.example" } })).status).toBe(403)
  expect((await globalThis.fetch(`${address}/session`, { headers: { origin } })).status).toBe(401)
})

it.skipIf(process.platform === "win32")("needs no token on a socket of its user", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-socket-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const socket = join(directory, "pawl.sock")
  await listening({ target: { socket } })
  const sent = request({ socketPath: socket, path: "/global/health" })
  sent.end()
  const status = await new Promise((resolve) => sent.on("response", (each) => resolve(each.resume().statusCode)))
  expect(status).toBe(200)
})

it("opens the directory that a request names, once, by any of its names", async () => {
  const { fetch, opened, main } = await listening()
  const other = await realpath(await mkdtemp(join(tmpdir(), "pawl-other-")))
  const link = `${other}-link`
  await symlink(other, link)
  onTestFinished(async () => {
    await rm(link)
    await rm(other, { recursive: true, force: true })
  })
  const paths = await Promise.all(
    [other, link, other].map(async (path) => {
      const response = await fetch("/path", { headers: { "x-opencode-directory": encodeURIComponent(path) } })
      return ((await response.json()) as { directory: string }).directory
    }),
  )
  expect(paths).toEqual([other, other, other])
  const byQuery = await fetch(`/path?directory=${encodeURIComponent(other)}`)
  expect(await byQuery.json()).toMatchObject({ directory: other })
  expect(opened).toEqual([other])
  await fetch("/path")
  expect(opened).toEqual([other, main.directory])
})

it("works on a session in the session's own directory, whatever a request names", async () => {
  const { fetch, main, opened } = await listening()
  const other = await realpath(await mkdtemp(join(tmpdir(), "pawl-other-")))
  const { id } = await main.engine.createSession({ directory: other, title: "elsewhere" })
  const body = JSON.stringify({ parts: [{ type: "text", text: "Hi" }] })
  expect((await fetch(`/session/${id}/message`, { method: "POST", body })).status).toBe(200)
  expect(opened).toEqual([main.directory, other])
  await rm(other, { recursive: true })
  expect((await fetch(`/session/${id}`)).status).toBe(200)
  const refused = await fetch(`/session/${id}/message`, { method: "POST", body })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining(`There is no directory ${other}`),
  ])
})

it("works on a session in its own directory for requests of the newer interface, too", async () => {
  const { fetch, main, opened } = await listening()
  const other = await realpath(await mkdtemp(join(tmpdir(), "pawl-other-")))
  onTestFinished(() => rm(other, { recursive: true, force: true }))
  const { id } = await main.engine.createSession({ directory: other, title: "elsewhere" })
  expect((await fetch(`/api/session/${id}/permission`)).status).toBe(200)
  expect(opened).toEqual([main.directory, other])
})

it("creates a session of the newer interface in the directory that the body names", async () => {
  const { fetch, opened } = await listening()
  const other = await realpath(await mkdtemp(join(tmpdir(), "pawl-other-")))
  onTestFinished(() => rm(other, { recursive: true, force: true }))
  const create = (directory: string) => {
    return fetch("/api/session", { method: "POST", body: JSON.stringify({ location: { directory } }) })
  }
  expect(await (await create(other)).json()).toMatchObject({ data: { location: { directory: other } } })
  expect(opened).toEqual([other])
  const refused = await create("/no/such/directory")
  expect([refused.status, await refused.json()]).toMatchObject([400, { _tag: "InvalidRequestError", kind: "Body" }])
  const headers = { "x-opencode-directory": "%" }
  const unreadable = await fetch("/api/session", { method: "POST", headers })
  expect([unreadable.status, await unreadable.json()]).toMatchObject([
    400,
    { _tag: "InvalidRequestError", kind: "Headers" },
  ])
})

it("lists the sessions at work in all open directories", async () => {
  const hold = {
    ...{ name: "hold", description: "", inputSchema: { type: "object" }, effect: "pure" as const },
    parse: (input: unknown) => input,
    async execute(_input: unknown, { signal }: ToolContext) {
      await once(signal, "abort")
      return { title: "", output: "" }
    },
  }
  const replies = [[call("hold", {}), finish("tool-calls")]]
  const { fetch, main, directories } = await listening({ serving: { tools: [hold], replies } })
  const active = async () => ((await (await fetch("/api/session/active")).json()) as { data: object }).data
  const other = await realpath(await mkdtemp(join(tmpdir(), "pawl-other-")))
  onTestFinished(() => rm(other, { recursive: true, force: true }))
  const all: string[] = []
  for (const directory of [main.directory, other]) {
    await fetch(`/path?directory=${encodeURIComponent(directory)}`)
    const { engine } = directories.get(directory) ?? main
    const { id: sessionID } = await engine.createSession({ directory })
    await fetch(`/api/session/${sessionID}/prompt`, {
      method: "POST",
      body: JSON.stringify({ prompt: { text: "Hi" } }),
    })
    all.push(sessionID)
    expect(Object.keys(await active()).toSorted()).toEqual(all.toSorted())
  }
})

it.each(["relative", "/no/such/directory", "/etc/hostname", `/${"x".repeat(5000)}`, "/tmp\0x", ".."])(
  "names the directory %j that it cannot open",
  async (path) => {
    const { fetch, opened } = await listening()
    const response = await fetch(`/session?directory=${encodeURIComponent(path)}`)
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toMatch(
      /is not an absolute path of a directory|There is no directory/,
    )
    expect(opened).toEqual([])
  },
)

it("closes a directory that is not used, and opens it again", async () => {
  const { fetch, opened, closed, main } = await listening({ maxIdleMs: 20 })
  await fetch("/session")
  while (closed.length === 0) await delay(5)
  expect(closed).toEqual([main.directory])
  expect((await fetch("/session")).status).toBe(200)
  expect(opened).toEqual([main.directory, main.directory])
})

it("sends the answer to a prompt after the last event of its turn", async () => {
  const { fetch } = await listening()
  const streams = await Promise.all([1, 2, 3].map(async () => following(await fetch("/global/event"))))
  for (let turn = 0; turn < 5; turn++) {
    const { id } = (await (await fetch("/session", { method: "POST", body: "{}" })).json()) as { id: string }
    const body = JSON.stringify({ parts: [{ type: "text", text: "Hi" }] })
    await (await fetch(`/session/${id}/message`, { method: "POST", body })).json()
    for (const { seen } of streams) {
      const payloads = seen.map((each) => (each as unknown as { payload: Seen }).payload)
      expect(payloads.some(({ type, properties }) => type === "session.idle" && properties["sessionID"] === id)).toBe(
        true,
      )
    }
  }
  for (const { cancel } of streams) await cancel()
})

it("sends a client that comes back what it missed, once and in order", async () => {
  const { fetch, main } = await listening()
  await fetch("/session")
  const whole = following(await fetch("/event"))
  const first = following(await fetch("/event"))
  const create = async (title: string) => void (await main.engine.createSession({ directory: main.directory, title }))
  await create("one")
  await first.until("session.created")
  await first.cancel()
  await create("two")
  await create("three")
  const last = first.seen.at(-1)?.id ?? ""
  for (const again of [
    await fetch("/event", { headers: { "last-event-id": last } }),
    await fetch(`/event?after=${last}`),
  ]) {
    const second = following(again)
    while (second.seen.length < 3) await delay(2)
    await second.cancel()
    const titles = [...first.seen, ...second.seen].flatMap(({ type, properties }) =>
      type === "session.created" ? [(properties["info"] as { title: string }).title] : [],
    )
    expect(titles).toEqual(["one", "two", "three"])
    expect(second.types()).not.toContain("server.resync")
  }
  while (whole.seen.length < 4) await delay(2)
  const ids = whole.seen.map(({ id }) => Number(id.split(".")[1]))
  expect(ids).toEqual([0, 1, 2, 3])
  await whole.cancel()
})

it("says so where it does not know what a client missed", async () => {
  const { fetch } = await listening()
  for (const position of ["0123456789ab.7", "nonsense", '1\n\nevent: message\ndata: {"type":"injected"}\n\n']) {
    const stream = following(await fetch(`/event?after=${encodeURIComponent(position)}`))
    await stream.until("server.resync")
    expect(stream.types()).toEqual(["server.connected", "server.resync"])
    expect(stream.seen.map(({ id }) => id)).toEqual(stream.seen.map(() => expect.stringMatching(/^[\da-f]{12}\.\d+$/)))
    await stream.cancel()
  }
})

it("ends the connection of a client that does not read, and serves the others", async () => {
  const { address, fetch } = await listening()
  await fetch("/session")
  const reading = following(await fetch("/event"))
  const { port, hostname } = new URL(address)
  const dead = connect(Number(port), hostname)
  dead.write(`GET /event HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${TOKEN}\r\n\r\n`)
  await new Promise((resolve) => dead.once("data", resolve))
  dead.pause()
  const ended = new Promise((resolve) => dead.once("close", resolve))
  dead.on("error", () => undefined)
  const body = JSON.stringify({ type: "tui.large", properties: { text: "x".repeat(50_000) } })
  for (let n = 0; n < 400; n++) await (await fetch("/tui/publish", { method: "POST", body })).json()
  while (reading.seen.filter(({ type }) => type === "tui.large").length < 400) await delay(5)
  let last = ""
  dead.on("data", (chunk: Buffer) => (last = chunk.toString().slice(-10)))
  // A paused socket notices the end with the next read. The stream was cut, without the empty chunk of a proper end.
  dead.resume()
  await ended
  expect(last).not.toContain("\r\n0\r\n\r\n")
  await reading.cancel()
})

it("ends streams and closes directories when it stops", async () => {
  const { fetch, stop, closed, main } = await listening()
  await fetch("/session")
  const stream = following(await fetch("/event"))
  await stream.until("server.connected")
  await stop()
  await stream.done
  expect(closed).toEqual([main.directory])
})

it("closes a connection that sends a request while the server ends", async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const { promise: address, resolve: onListening } = Promise.withResolvers<string>()
  const controller = new AbortController()
  const fetch = async () => new Response("answered")
  const server = { fetch, upgrade: fetch, close: () => closed }
  const done = listen(server, { target: { port: 0 }, token: TOKEN, signal: controller.signal, onListening })
  const socket = connect(Number(new URL(await address).port), "127.0.0.1")
  socket.on("error", () => undefined)
  await once(socket, "connect")
  socket.write("GET / HT")
  // The server accepts the connection before it ends.
  await delay(50)

  controller.abort()
  socket.write("TP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

  await once(socket, "close")
  close()
  await done
  expect(socket.bytesRead).toBe(0)
})

it.each(["/proc/self", "/dev", ".ssh", ".git/hooks"])("does not serve %s", async (name) => {
  const { fetch, main, opened } = await listening()
  const directory = name.startsWith("/") ? name : join(main.directory, name)
  if (!name.startsWith("/")) await mkdir(directory, { recursive: true })
  const response = await fetch(`/file/content?path=x&directory=${encodeURIComponent(directory)}`)
  expect(response.status).toBe(400)
  expect(opened).toEqual([])
})
