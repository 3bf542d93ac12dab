import { randomBytes } from "node:crypto"
import http, { type RequestListener } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import type { ToolContext } from "@pawl/core/tool"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { eventually } from "../../test/processes.ts"
import { recordedNetwork } from "../../test/recorded-network.ts"
import { rawServer, webServer } from "../../test/web-server.ts"
import { webfetchTool } from "./webfetch.ts"

const MB = 2 ** 20
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

/** Fetches from loopback, as a deployment that opens it. */
async function fetchPage(url: string, input: object = {}, context: ToolContext = testContext("/")) {
  const tool = webfetchTool({ userAgent: "pawl/1.2.3", allowPrivate: (_, address) => address === "127.0.0.1" })
  return tool.execute(tool.parse({ url, ...input }), context)
}

/** Fetches `/` from a server that answers so. */
async function answered(answer: RequestListener, input: object = {}) {
  const { origin } = await webServer(answer)
  return fetchPage(`${origin}/`, input)
}

function sent(body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(body)
}

const html = { "content-type": "text/html" }

it("reaches loopback only where that is opened", async () => {
  const server = await webServer(sent("secret"))
  const call = { url: `${server.origin}/`, format: "markdown", timeout: 10 } as const
  await expect(webfetchTool().execute(call, testContext("/"))).rejects.toThrow("127.0.0.1 is not public (loopback)")
  expect(server.connections()).toBe(0)
  expect(await fetchPage(call.url)).toMatchObject({ output: "secret" })
  expect(server.connections()).toBe(1)
})

it("tells a deployment the host and the address that it may open", async () => {
  const server = await webServer(sent("here"))
  const asked: string[][] = []
  const network = recordedNetwork(server.port, () => ["10.0.0.1", "93.184.216.34", "::1"])
  const tool = webfetchTool({ network, allowPrivate: (...question) => asked.push(question) > 0 })
  await tool.execute(tool.parse({ url: "http://Wiki.example./" }), testContext("/"))
  expect(asked).toEqual([
    ["wiki.example", "10.0.0.1"],
    ["wiki.example", "::1"],
  ])
})

it("connects to the addresses that were judged, though the name gets another one meanwhile", async () => {
  const server = await webServer(sent("here"))
  const network = recordedNetwork(server.port, (_, lookup) => [lookup === 1 ? "93.184.216.34" : "127.0.0.1"])
  const tool = webfetchTool({ network })
  await tool.execute(tool.parse({ url: "http://rebinding.example/" }), testContext("/"))
  expect(network.lookups).toEqual(["rebinding.example"])
  expect(network.targets).toEqual([{ host: "rebinding.example", port: 80, addresses: ["93.184.216.34"] }])
})

it("asks the permission for the address in its normal form, without the fragment", async () => {
  const tool = webfetchTool()
  const call = tool.parse({ url: "HTTPS://Example.COM.:443/a/../b?q=1#part" })
  expect(await tool.permissions?.(call, { directory: "/", worktree: "/" })).toEqual([
    { permission: "webfetch", patterns: ["https://example.com/b?q=1"] },
  ])
})

it.each([
  { url: "" },
  { url: "http://a.example/", format: "pdf" },
  { url: "http://a.example/", timeout: 121 },
  { url: "http://a.example/", timeout: 0 },
  {},
])("refuses the arguments %j", (input) => {
  expect(() => webfetchTool().parse(input)).toThrow("The webfetch tool was called with invalid arguments: ")
})

it.each([
  ["markdown", "text/markdown"],
  ["text", "text/plain"],
  ["html", "text/html"],
])("says who asks, and that %s is wanted", async (format, first) => {
  const { output } = await answered((request, response) => response.end(JSON.stringify(request.headers)), { format })
  const headers: unknown = JSON.parse(output)
  expect(headers).toMatchObject({ "user-agent": "pawl/1.2.3", connection: "close" })
  expect(headers).toHaveProperty("accept", expect.stringMatching(new RegExp(`^${first}, `)))
})

it("sends the path and query as they are and the host with its port", async () => {
  const server = await webServer((request, response) =>
    response.end(`${request.method} ${request.headers.host} ${request.url}`),
  )
  expect(await fetchPage(`${server.origin}/a%20b?x=1&y=%2F#z`)).toMatchObject({
    output: `GET 127.0.0.1:${server.port} /a%20b?x=1&y=%2F`,
  })
})

it("pays no heed to the environment's proxies", async () => {
  const proxy = await webServer(sent("from the proxy"))
  const before = http.globalAgent
  http.globalAgent = new http.Agent({ proxyEnv: { HTTP_PROXY: proxy.origin } })
  try {
    expect(await answered(sent("from the server"))).toMatchObject({ output: "from the server" })
    expect(proxy.connections()).toBe(0)
  } finally {
    http.globalAgent = before
  }
})

it("turns HTML into Markdown, into text, or leaves it", async () => {
  const page = sent("<title>T</title><h1>Head</h1><p>A <b>bold</b> <a href='x'>link</a><script>no()</script>", html)
  const { origin } = await webServer(page)
  expect(await fetchPage(`${origin}/a/`)).toMatchObject({
    title: `${origin}/a/ (text/html)`,
    output: `# Head\n\nA **bold** [link](${origin}/a/x)`,
    metadata: { url: `${origin}/a/`, status: 200, contentType: "text/html" },
  })
  expect(await fetchPage(`${origin}/a/`, { format: "text" })).toMatchObject({ output: "Head\n\nA bold link" })
  expect(await fetchPage(`${origin}/a/`, { format: "html" })).toMatchObject({
    output: expect.stringContaining("<b>bold"),
  })
})

it("leaves JSON as it is", async () => {
  const body = '{"a":  [1,\n 2]}'
  const result = await answered(sent(body, { "content-type": "application/json; charset=utf-8" }))
  expect(result).toMatchObject({ output: body, title: expect.stringMatching(/ \(application\/json\)$/) })
})

it.each([
  ["image/png", PNG],
  ["image/jpeg", Buffer.from("ffd8ffe000104a464946", "hex")],
  ["image/gif", Buffer.from("GIF89a")],
  ["image/webp", Buffer.from("RIFF0000WEBPVP8 ")],
  ["application/pdf", Buffer.from("%PDF-1.7\n")],
])("attaches %s, also where the server does not say what it is", async (mime, bytes) => {
  for (const declared of [mime, "application/octet-stream"]) {
    const server = await webServer(sent(bytes, { "content-type": declared }))
    const result = await fetchPage(`${server.origin}/a/b.bin?c`)
    expect(result.title).toBe(`${server.origin}/a/b.bin?c (${mime})`)
    const url = `data:${mime};base64,${bytes.toString("base64")}`
    expect(result.attachments).toEqual([{ type: "file", mime, url, filename: "b.bin" }])
  }
})

it("does not attach what is no image although it is declared as one", async () => {
  expect(await answered(sent("just text", { "content-type": "image/png" }))).not.toHaveProperty("attachments")
})

it("refuses an image that is too large to attach", async () => {
  const image = Buffer.concat([PNG, Buffer.alloc(4 * MB)])
  await expect(answered(sent(image, { "content-type": "image/png" }))).rejects.toThrow(/bytes of image\/png, at most/)
})

it.each(["application/zip", "video/mp4", "font/woff2", "application/vnd.ms-excel"])(
  "refuses %s by its name",
  async (type) => {
    // Without waiting for the body, which never comes.
    const answer: RequestListener = (_, response) => void response.writeHead(200, { "content-type": type }).write("x")
    await expect(answered(answer)).rejects.toThrow(`its type is ${type}`)
  },
)

it("refuses binary bytes that are declared as text", async () => {
  const bytes = Buffer.from([0, 1, 2, 255, 254, 0, 7])
  await expect(answered(sent(bytes, { "content-type": "text/plain" }))).rejects.toThrow(
    "binary, though declared as text/plain",
  )
  await expect(answered(sent(bytes))).rejects.toThrow("its type is unknown")
})

it.each([
  ["text/plain; charset=iso-8859-1", Buffer.from("caf\xe9", "latin1"), "café"],
  ['text/plain; charset="Shift_JIS"', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
  ["text/plain; charset=utf-16le", Buffer.from("häh?", "utf16le"), "häh?"],
  ["text/plain", Buffer.from("\uFEFFcafé", "utf16le"), "café"],
  ["text/plain; charset=latin1", Buffer.from("\uFEFFcafé"), "café"],
  ["text/plain; charset=nonsense", Buffer.from("café"), "café"],
  ["text/html", Buffer.from("<meta charset=windows-1251><p>\xcf\xf0", "latin1"), "Пр"],
  [
    "text/html",
    Buffer.from('<meta http-equiv=content-type content="text/html; charset=gbk"><p>\xd6\xd0', "latin1"),
    "中",
  ],
  ["text/html; charset=utf-8", Buffer.from("<meta charset=latin1><p>é"), "é"],
  ["application/xml", Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>', "latin1"), "<a>é</a>"],
])("reads %s in its encoding", async (type, bytes, expected) => {
  const { output } = await answered(sent(bytes, { "content-type": type }))
  expect(output).toContain(expected)
})

it("takes a page without a declared type for what it looks like", async () => {
  expect(await answered(sent("<!DOCTYPE html><p>a <b>b</b>"))).toMatchObject({ output: "a **b**" })
  expect(await answered(sent("a <b>b</b>"))).toMatchObject({ output: "a <b>b</b>" })
})

it("says so when there is nothing to read", async () => {
  expect(await answered(sent("", {}, 204))).toMatchObject({ output: "(The page is empty.)" })
  const empty = await answered(sent("<script>render()</script><div id=root></div>", html))
  expect(empty.output).toContain("no text by itself")
})

it.each([
  [401, "401 Unauthorized. The page needs a sign-in"],
  [403, "403 Forbidden. The server does not give it"],
  [404, "404 Not Found. There is no such page"],
  [429, "429 Too Many Requests. The server asks to wait 7 s"],
  [500, "500 Internal Server Error. The server failed"],
  [418, "418 I'm a Teapot. Check the address"],
  [304, "304 Not Modified. Check the address"],
])("reports the status %i with a next step", async (status, expected) => {
  await expect(answered(sent(status === 304 ? "" : "sorry", { "retry-after": "7" }, status))).rejects.toThrow(expected)
})

it("follows a redirect within the host and names the page that it ends at", async () => {
  const { origin } = await webServer(({ url }, response) => {
    if (url === "/a") response.writeHead(301, { location: "/b/c" }).end()
    else response.writeHead(200, html).end('<p><a href="d">x</a>')
  })
  expect(await fetchPage(`${origin}/a`)).toMatchObject({
    title: `${origin}/b/c (text/html)`,
    output: `[x](${origin}/b/d)`,
  })
})

it("reports a redirect to another host without going there", async () => {
  const other = await webServer(sent("there"))
  const { origin } = await webServer(sent("", { location: `${other.origin}/x#y` }, 302))
  expect(await fetchPage(origin)).toMatchObject({
    output: expect.stringContaining(`\n${other.origin}/x\n`),
    metadata: { redirect: `${other.origin}/x` },
  })
  expect(other.connections()).toBe(0)
})

it("ends a redirect in a circle", async () => {
  await expect(answered(sent("", { location: "/" }, 307))).rejects.toThrow("redirects more than 10 times")
})

it("says so when a redirect leads nowhere", async () => {
  await expect(answered(sent("", {}, 302))).rejects.toThrow("redirects without saying where to")
})

it.each([
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["BR", brotliCompressSync],
])("unpacks %s", async (encoding, pack) => {
  expect(await answered(sent(pack("packed"), { "content-encoding": encoding }))).toMatchObject({ output: "packed" })
})

it.each([
  ["gzip", gzipSync(Buffer.alloc(300 * MB))],
  ["br", brotliCompressSync(Buffer.alloc(300 * MB))],
])("stops unpacking %s at the limit", async (encoding, bomb) => {
  expect(bomb.length).toBeLessThan(MB)
  const before = process.memoryUsage().arrayBuffers
  await expect(answered(sent(bomb, { "content-encoding": encoding }))).rejects.toThrow("larger than 5 MB")
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MB)
})

it("takes a body of exactly 5 MB and none that is longer, declared or not", async () => {
  const body = "x".repeat(5 * MB)
  expect((await answered(sent(body))).output).toHaveLength(5 * MB)
  const chunked: RequestListener = (_, response) => {
    response.write(body)
    response.end("y")
  }
  await expect(answered(chunked)).rejects.toThrow("larger than 5 MB")
  const declared: RequestListener = (_, response) =>
    void response.writeHead(200, { "content-length": 6 * MB }).write("x")
  await expect(answered(declared)).rejects.toThrow("larger than 5 MB")
})

it("leaves an endless body at the limit and hangs up", async () => {
  const ended = new AbortController()
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (!ended.signal.aborted && response.write("more".repeat(16_384))) continue
    }
    response.on("drain", more).on("close", () => ended.abort())
    more()
  }
  await expect(answered(endless)).rejects.toThrow("larger than 5 MB")
  await eventually(() => ended.signal.aborted)
})

it.each([
  ["a body that is cut", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", "ended before the answer did"],
  [
    "a chunk that is cut",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nshort",
    "ended before the answer did",
  ],
  ["no answer", "", "ended before the answer did"],
  ["another protocol", "220 mail.example ESMTP\r\n", "not valid HTTP"],
  ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", "not valid HTTP"],
  [
    "a length beside chunks",
    "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "not valid HTTP",
  ],
  [
    "a flood of headers",
    `HTTP/1.1 200 OK\r\n${"x-more: 1\r\n".repeat(50_000)}\r\n`,
    "headers of the answer are too long",
  ],
  ["one long header", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(500_000)}\r\n\r\n`, "headers of the answer are too long"],
  ["a packed body that is cut", cut(gzipSync(randomBytes(500))), "could not be unpacked"],
  ["a body that is not packed", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nplain", "could not be unpacked"],
  ["an unknown packing", "HTTP/1.1 200 OK\r\ncontent-encoding: x-own\r\n\r\nplain", 'packed as "x-own"'],
  ["packing upon packing", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\n\r\nx", 'packed as "gzip, gzip"'],
])("reports %s", async (_, answer, expected) => {
  const { origin } = await rawServer((socket) => socket.once("data", () => socket.end(answer)))
  await expect(fetchPage(origin)).rejects.toThrow(expected)
})

function cut(packed: Buffer): Buffer {
  return Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"), packed.subarray(0, 300)])
}

it("takes no more than the declared length", async () => {
  const { origin } = await rawServer((socket) =>
    socket.once("data", () =>
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbodyHTTP/1.1 200 OK\r\n\r\nmore"),
    ),
  )
  expect(await fetchPage(origin)).toMatchObject({ output: "body" })
})

it("says so when nobody listens", async () => {
  const tool = webfetchTool({ network: recordedNetwork(1, () => ["93.184.216.34"]) })
  await expect(tool.execute(tool.parse({ url: "http://example.com/" }), testContext("/"))).rejects.toThrow(
    "the server takes no connections",
  )
})

it("names a host that is not known", async () => {
  const network = recordedNetwork(0, () => {
    throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" })
  })
  const tool = webfetchTool({ network })
  await expect(tool.execute(tool.parse({ url: "http://nowhere.example/" }), testContext("/"))).rejects.toThrow(
    "http://nowhere.example/ could not be fetched: the host name is not known. Check the address",
  )
})

const silent: RequestListener = () => {}
const slow: RequestListener = (_, response) => {
  const timer = setInterval(() => response.write("."), 10)
  response.on("close", () => clearInterval(timer))
}
const circling: RequestListener = (_, response) => {
  setTimeout(() => response.writeHead(302, { location: "/" }).end(), 60)
}

it.each([
  ["no head", silent],
  ["a body without end", slow],
  ["redirects that take their time", circling],
])("gives up on %s after the timeout", async (_, answer) => {
  await expect(answered(answer, { timeout: 0.3 })).rejects.toThrow(
    "did not answer completely within 0.3 s. Try again with a longer timeout",
  )
})

it("gives up on a resolver that does not answer", async () => {
  const network = { ...recordedNetwork(0, () => []), resolve: () => new Promise<never>(() => {}) }
  const tool = webfetchTool({ network })
  const call = tool.parse({ url: "http://slow.example/", timeout: 0.1 })
  await expect(tool.execute(call, testContext("/"))).rejects.toThrow("within 0.1 s")
})

it.each([
  ["the head", silent],
  ["the body", slow],
])("ends with its reason when the call is aborted during %s, and hangs up", async (_, answer) => {
  const abort = new AbortController()
  const reason = new Error("stopped by the user")
  let hasClosed = false
  const { origin } = await webServer((request, response) => {
    response.on("close", () => (hasClosed = true))
    answer(request, response)
    setTimeout(() => abort.abort(reason), 30)
  })
  await expect(fetchPage(origin, {}, testContext("/", { signal: abort.signal }))).rejects.toBe(reason)
  await eventually(() => hasClosed)
})

it("opens nothing for a call that was aborted before", async () => {
  const server = await webServer(sent("here"))
  await expect(fetchPage(server.origin, {}, testContext("/", { signal: AbortSignal.abort() }))).rejects.toThrow(
    "aborted",
  )
  expect(server.connections()).toBe(0)
})

it("shows what it fetches while it does", async () => {
  const context = testContext("/")
  const { origin } = await webServer(sent("here"))
  await fetchPage(origin, {}, context)
  expect(context.updates).toEqual([{ title: `${origin}/` }])
})
