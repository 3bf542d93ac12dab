import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import {
  array,
  assert as checkProperty,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  option,
  string,
} from "fast-check"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { serving } from "../test/serving.ts"
import { createServer, listen } from "./index.ts"
import { appOperations, serverOperations } from "./operations.ts"

const TOKEN = "t0ken_of-the-test"
const operations = Object.entries({ ...appOperations, ...serverOperations })
/** Without streams of events, which answer when the first event comes. */
const answering = operations.filter(([, { type }]) => type !== "text/event-stream")
const offered = answering.filter(([, { missing }]) => missing === undefined).map(([route]) => route)
const missing = answering.filter(([, operation]) => operation.missing !== undefined).map(([route]) => route)

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function listening() {
  const signsIn = {
    provider: "constructor",
    methods: [
      {
        ...{ type: "oauth" as const, label: "Browser" },
        prompts: [{ type: "text" as const, key: "__proto__", message: "?" }],
        authorize: async () => ({
          ...{ url: "https://a.example/", instructions: "", method: "code" as const },
          callback: async () => ({ type: "failed" as const }),
        }),
      },
    ],
  }
  const serve = await serving({
    plugins: [{ id: "signs-in", plugin: () => ({ auth: signsIn }) }],
    host: {
      setAuth: async () => undefined,
      removeAuth: async () => undefined,
      tools: () => [],
      skills: () => [],
      worktrees: {
        list: async () => [],
        create: async () => ({ refusal: "There is no space.", isOutsideGit: false }),
        remove: async () => ({ refusal: "It is in use.", isOutsideGit: false }),
        reset: async () => ({ refusal: "It is in use.", isOutsideGit: false }),
      },
    },
  })
  const { directory, host, engine } = serve
  const server = createServer({
    directory,
    version: "9.9.9",
    open: async () => ({ host, close: async () => undefined }),
  })
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  const signal = controller.signal
  const done = listen(server, { target: { port: 0 }, token: TOKEN, signal, onListening: resolve })
  const { port } = new URL(await promise)
  onTestFinished(async () => {
    controller.abort()
    await done
    await serve[Symbol.asyncDispose]()
  })
  const { id } = await engine.createSession({ directory })
  /** Sends a request as it is written here, which `fetch` would not. Returns the status and the body. */
  const send = async ({ method, path, headers, body }: Sent): Promise<readonly [number, string]> => {
    const all = { authorization: `Bearer ${TOKEN}`, ...headers }
    const sent = request({ hostname: "127.0.0.1", port, method, path, headers: all, agent: false })
    sent.end(body)
    return new Promise((resolve, reject) => {
      sent.on("error", reject)
      sent.on("response", (response) => {
        let text = ""
        response.on("data", (chunk: Buffer) => void (text += chunk.toString()))
        response.on("end", () => resolve([response.statusCode ?? 0, text]))
      })
    })
  }
  return { directory, port: Number(port), send, sessionID: id, engine }
}

/** Texts that programs stumble over. */
const TEXTS = [
  ...[
    "",
    " ",
    ".",
    "..",
    "../../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "C:\\Windows",
    "%00",
    "%",
    "%zz",
  ],
  ...["\0", "\r\nX-Injected: 1", "🜚\u202e\ud800", "__proto__", "constructor", "toString", "null", "NaN", "-1", "1e999"],
  ...["ses_", "ses_0", "ses_../x", "msg_zz", "prt_0", "a/b", "$(id)", "--help", "-rf", "{}", "x".repeat(100_000)],
]
const VALUES = [null, true, -1, 1e308, [], {}, [[[]]], { type: "text" }, ...TEXTS]
const hostileText = oneof(constantFrom(...TEXTS), string({ unit: "binary", maxLength: 40 }))
const hostileValue = oneof(constantFrom(...VALUES), jsonValue({ maxDepth: 3 }))
const KEYS = ["parts", "title", "messageID", "partID", "command", "arguments", "model", "agent", "type", "properties"]
const hostileBody = oneof(
  hostileValue.map((value) => JSON.stringify(value)),
  dictionary(
    constantFrom(
      ...KEYS,
      "name",
      "config",
      "reply",
      "answers",
      "text",
      "key",
      "directory",
      "startCommand",
      "method",
      "inputs",
      "code",
    ),
    hostileValue,
  ).map((value) => {
    return JSON.stringify(value)
  }),
  constantFrom('{"parts":[{"type":"text"', "[", "\ufeff{}", '{"a":1}{"b":2}', "a=1&b=2", "[".repeat(50_000)),
)

/** Returns a path without what no client could send. */
function pathOf(route: string, texts: readonly string[], query: Readonly<Record<string, string>>): string {
  const [, path = ""] = route.split(" ")
  let at = 0
  const next = () => encodeURIComponent((texts[at++ % texts.length] ?? "").toWellFormed().slice(0, 2000))
  const filled = path.replaceAll(/:\w+|\*/g, next)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, value.slice(0, 2000))
  return `${filled}?${search.toString()}`
}

const QUERY = [
  "path",
  "query",
  "pattern",
  "limit",
  "before",
  "messageID",
  "start",
  "mode",
  "context",
  "type",
  "cursor",
  "directory",
  "location[directory]",
  "roots",
  "after",
]

describe("every route", () => {
  const counts = new Map<number, number>()
  afterAll(() => console.info(`Answers by status: ${JSON.stringify(Object.fromEntries(counts))}`))

  /** Returns the statuses of the answers. */
  async function attack(
    route: string,
    { send, sessionID }: Awaited<ReturnType<typeof listening>>,
    numRuns: number,
  ): Promise<number[]> {
    const statuses: number[] = []
    const [method = ""] = route.split(" ")
    const texts = array(oneof(constant(sessionID), hostileText), { minLength: 1, maxLength: 3 })
    const query = dictionary(constantFrom(...QUERY), hostileText, { maxKeys: 4 })
    const type = constantFrom("application/json", "text/plain", "multipart/form-data", "application/xml; charset=x")
    await checkProperty(
      asyncProperty(texts, query, option(hostileBody), type, async (names, fields, body, contentType) => {
        const path = pathOf(route, names, fields)
        const headers =
          body === null ? {} : { "content-type": contentType, "content-length": `${Buffer.byteLength(body)}` }
        const [status, text] = await send({ method, path, headers, ...(body === null ? {} : { body }) })
        counts.set(status, (counts.get(status) ?? 0) + 1)
        statuses.push(status)
        if (status >= 500 || text.includes("root:x:0")) {
          throw new Error(`${method} ${path.slice(0, 300)} ${(body ?? "").slice(0, 300)}: ${text.slice(0, 300)}`)
        }
      }),
      { numRuns, seed: 7 },
    )
    return statuses
  }

  it.each(offered)("%s answers hostile requests without a failure of its own", async (route) => {
    expect(await attack(route, await listening(), 25)).toHaveLength(25)
  })

  it("answers hostile requests for what is not offered without a failure of its own", async () => {
    const server = await listening()
    const statuses = new Set<number>()
    for (const route of missing) for (const status of await attack(route, server, 5)) statuses.add(status)
    expect([...statuses].filter((status) => ![400, 404, 413, 415].includes(status))).toEqual([])
  })

  it("is refused without a token, whatever the token looks like", async () => {
    const { send, sessionID } = await listening()
    const wrong = [
      "",
      "Bearer",
      "Bearer x",
      `Bearer ${TOKEN}x`,
      `bearer${TOKEN}`,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN.slice(1)}`,
    ]
    for (const [route] of operations) {
      const [method = ""] = route.split(" ")
      for (const authorization of wrong) {
        const path = pathOf(route, [sessionID], {})
        const headers = { authorization, "content-length": "0" }
        expect([route, authorization, (await send({ method, path, headers }))[0]]).toEqual([route, authorization, 401])
      }
    }
    const credentials = await send({
      method: "GET",
      path: `/session?token=${TOKEN}&auth_token=${TOKEN}`,
      headers: { authorization: "" },
    })
    expect(credentials[0]).toBe(401)
  })
})

describe("a project's links and paths", () => {
  it("lead to nothing outside of it", async () => {
    const { directory, send } = await listening()
    const outside = join(directory, "..", "outside-of-the-project")
    await writeFile(outside, "secret of another project")
    await mkdir(join(directory, "sub"))
    await symlink(outside, join(directory, "link"))
    await symlink("/etc", join(directory, "sub", "etc"))
    const paths = [
      "link",
      "sub/etc/passwd",
      "sub/../../outside-of-the-project",
      outside,
      "/etc/passwd",
      "./link",
      "sub/etc",
    ]
    const asked = paths.flatMap((path) => {
      const name = encodeURIComponent(path)
      return [`/file/content?path=${name}`, `/file?path=${name}`, `/api/fs/read/${name}`, `/api/fs/list?path=${name}`]
    })
    for (const path of asked) {
      const [status, text] = await send({ method: "GET", path })
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
      expect(text).not.toMatch(/secret of another|root:x:0/)
    }
    for (const path of ["/find?pattern=secret", "/find/file?query=passwd", "/vcs/diff", "/vcs/diff/raw"]) {
      const [status, text] = await send({ method: "GET", path })
      expect([path, status]).toEqual([path, 200])
      expect(text).not.toMatch(/secret of another|root:x:0/)
    }
    expect(await readFile(outside, "utf8")).toBe("secret of another project")
  })
})

describe("the listener", () => {
  it("reads bodies without a length, and refuses those that are too long", async () => {
    const { send } = await listening()
    const chunked = { "transfer-encoding": "chunked" }
    const created = await send({ method: "POST", path: "/session", headers: chunked, body: '{"title":"In pieces"}' })
    expect(created).toEqual([200, expect.stringContaining("In pieces")])
    const { id } = JSON.parse(created[1]) as { id: string }
    expect(await send({ method: "DELETE", path: `/session/${id}` })).toEqual([200, "true"])
    const body = JSON.stringify({ title: "x".repeat(65 * 1024 * 1024) })
    // The server may close the connection before it has read everything.
    const [status] = await send({ method: "POST", path: "/session", headers: chunked, body }).catch(() => [413])
    expect(status).toBe(413)
  })

  it("survives requests that break off or make no sense", async () => {
    const { port, send } = await listening()
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n`
    const broken = [
      `POST /session HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n{"title":`,
      `POST /session HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nffff\r\nabc`,
      `POST /session HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      `GET http://example.com/session HTTP/1.1\r\n${head}\r\n`,
      `GET /session\r\n\r\n`,
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      `GET /${"a".repeat(100_000)} HTTP/1.1\r\n${head}\r\n`,
    ]
    for (const text of broken) {
      const socket = connect(port, "127.0.0.1")
      let answer = ""
      socket.on("data", (chunk: Buffer) => void (answer += chunk.toString()))
      socket.on("error", () => undefined)
      socket.write(text)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
      expect(answer).not.toMatch(/^HTTP\/1\.1 (200|5)/)
    }
    expect((await send({ method: "GET", path: "/session" }))[0]).toBe(200)
  })
})
