import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { localServer, socketServer } from "@pawl/provider-testkit/local-server"
import { expect, it, onTestFinished } from "vitest"
import { createHTTPClient } from "./http-fetch.ts"

const file = (name: string) => readFileSync(new URL(`../test/certificate/${name}`, import.meta.url), "utf8")
const post = { method: "POST", body: "{}" }

/** Answers what it was asked. */
async function echo() {
  return localServer((request, response) => {
    const { method, url, headers } = request
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => (body += text))
    request.on("end", () => response.end(JSON.stringify({ method, url, headers, body })))
  })
}

it("becomes the next request, and its connection is kept for those after it", async () => {
  await using server = await echo()
  const { connect, fetch } = createHTTPClient()

  connect(`${server.url}v1`)
  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  const headers = { "content-type": "application/json", authorization: "Bearer k" }
  const first = await fetch(`${server.url}v1/messages?beta=1`, { ...post, body: '{"a":"ä"}', headers })
  expect(await first.json()).toMatchObject({
    ...{ method: "POST", url: "/v1/messages?beta=1", body: '{"a":"ä"}' },
    headers: { ...headers, host: new URL(server.url).host, "content-length": "10", connection: "keep-alive" },
  })
  for (let n = 0; n < 2; n++)
    expect(await (await fetch(server.url, post)).json()).toMatchObject({ url: "/", body: "{}" })
  expect(server.sockets).toHaveLength(1)
})

it("says the same as a request that nothing was opened for", async () => {
  await using server = await echo()
  const { host } = new URL(server.url)
  const url = `http://someone:secret@${host}/v1`
  const asked = async (isAhead: boolean) => {
    const { connect, fetch } = createHTTPClient()
    if (isAhead) connect(url)
    return (await fetch(url, { ...post, headers: { "x-one": "1", "accept-encoding": "gzip" } })).json()
  }

  expect(await asked(true)).toEqual(await asked(false))
  expect(await asked(true)).toMatchObject({ headers: { authorization: `Basic ${btoa("someone:secret")}` } })
})

it("is not opened where a connection is kept, which stays", async () => {
  await using server = await echo()
  const { connect, fetch } = createHTTPClient({ aheadTimeout: 50 })

  for (let n = 0; n < 3; n++) {
    connect(server.url)
    await (await fetch(server.url, post)).text()
  }
  connect(server.url)
  await sleep(200)
  await (await fetch(server.url, post)).text()
  expect(server.sockets).toHaveLength(1)
})

it("does not become the request that is sent again", async () => {
  let requests = 0
  // The server that comes back knows none of its connections.
  await using server = await localServer(({ socket }, response) => {
    const isOld = ++requests > 1 && server.sockets.indexOf(socket) < 2
    if (isOld) void resetOnceAnotherIsOpened(socket)
    else response.end("ok")
  })
  async function resetOnceAnotherIsOpened(socket: Socket) {
    await expect.poll(() => server.sockets.length).toBeGreaterThan(1)
    socket.resetAndDestroy()
  }
  const { connect, fetch } = createHTTPClient()
  await (await fetch(server.url, post)).text()

  const asking = fetch(server.url, post)
  connect(server.url)
  expect(await (await asking).text()).toBe("ok")
  expect(server.sockets).toHaveLength(3)
})

it("is not used when its time is over, whether or not anybody heard of it", async () => {
  await using server = await echo()
  const { connect, fetch } = createHTTPClient({ aheadTimeout: 500 })

  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  server.sockets[0]?.end()
  // The event loop stands still.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 510)
  expect((await fetch(server.url, post)).status).toBe(200)
  expect(server.sockets).toHaveLength(2)
})

it("is left to a POST to its own server", async () => {
  await using server = await echo()
  await using other = await echo()
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  expect(await (await fetch(server.url)).json()).toMatchObject({ method: "GET", body: "" })
  expect(await (await fetch(other.url, post)).json()).toMatchObject({ headers: { host: new URL(other.url).host } })
  expect(server.sockets).toHaveLength(2)
  await (await fetch(server.url, post)).text()
  expect(server.sockets).toHaveLength(2)
})

it("is secured before it is known what it asks", async () => {
  const server = createServer({ key: file("key.pem"), cert: file("certificate.pem") }, (_request, response) => {
    response.end("secure")
  })
  const secured: Socket[] = []
  server.on("secureConnection", (socket) => secured.push(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { connect, fetch } = createHTTPClient({ ca: file("certificate.pem") })
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`

  connect(url)
  await expect.poll(() => secured).toHaveLength(1)
  // A second request may come before Node takes the first for written, and gets a connection of its own then.
  expect(await (await fetch(url, post)).text()).toBe("secure")
  expect(secured).toHaveLength(1)
})

it("is not used where the server has closed its connection", async () => {
  await using server = await echo()
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  server.sockets[0]?.end()
  await expect.poll(() => server.sockets[0]?.closed).toBe(true)
  expect((await fetch(server.url, post)).status).toBe(200)
  expect(server.sockets).toHaveLength(2)
})

it("is not used where the server has answered before it was asked", async () => {
  const answer = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`
  let connections = 0
  await using server = await socketServer((socket) => {
    const isFirst = ++connections === 1
    if (isFirst) socket.write(answer("408 Request Timeout"))
    socket.on("data", () => isFirst || socket.write(answer("200 OK")))
  })
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  await expect.poll(() => server.sockets[0]?.closed).toBe(true)
  expect((await fetch(server.url, post)).status).toBe(200)
})

it("is a new one to its server, and not sent again by itself", async () => {
  let asked = 0
  await using server = await localServer(({ socket }) => {
    asked++
    socket.destroy()
  })
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  await expect(fetch(server.url, post)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } })
  expect(asked).toBe(1)
})

it("fails without a word: the request says what is wrong", async () => {
  const { connect, fetch } = createHTTPClient()
  for (const url of ["http://127.0.0.1:1/", "https://127.0.0.1:1/", "ftp://127.0.0.1/", "localhost:1/v1", "no url", ""])
    connect(url)

  await expect(fetch("http://127.0.0.1:1/", post)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } })
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect(fetch("https://127.0.0.1:1/", post)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } })
})

it("is given up with what it became", async () => {
  await using silent = await socketServer((socket) => void socket.resume())
  const { connect, fetch } = createHTTPClient()

  connect(silent.url)
  const controller = new AbortController()
  const asking = fetch(silent.url, { ...post, signal: controller.signal })
  await expect.poll(() => silent.sockets[0]?.bytesRead ?? 0).toBeGreaterThan(0)
  controller.abort(new Error("enough"))
  await expect(asking).rejects.toThrow("enough")
  await expect.poll(() => silent.sockets.map(({ closed }) => closed)).toEqual([true])
})

it("has the time of a request to connect", async () => {
  await using silent = await socketServer(() => undefined)
  const { connect, fetch } = createHTTPClient({ connectTimeout: 200 })
  const url = silent.url.replace("http:", "https:")

  connect(url)
  await expect(fetch(url, post)).rejects.toMatchObject({ cause: { code: "ETIMEDOUT" } })
  expect(silent.sockets).toHaveLength(1)
})

it("is closed with a header that cannot be sent", async () => {
  await using server = await echo()
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  await expect(fetch(server.url, { ...post, headers: { "x-key": "a\nb" } })).rejects.toThrow(/Invalid character/)
  await expect.poll(() => server.sockets[0]?.closed).toBe(true)
})

it("is closed when nothing comes for a while", async () => {
  await using server = await echo()
  createHTTPClient({ aheadTimeout: 50 }).connect(server.url)
  await expect.poll(() => server.sockets[0]?.closed).toBe(true)
})

it("is not opened where a proxy stands between", async () => {
  await using server = await echo()
  const { connect } = createHTTPClient({ environment: { http_proxy: server.url, HTTPS_PROXY: server.url } })

  connect(server.url)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(server.sockets).toHaveLength(0)
})

it("keeps no process alive until it is asked for", async () => {
  await using silent = await socketServer((socket) => void socket.resume())
  const client = new URL("./http-fetch.ts", import.meta.url).href
  const run = async (more: string) => {
    const script = `const { connect, fetch } = (await import("${client}")).createHTTPClient({ aheadTimeout: 3_600_000 })
      connect("${silent.url}")
      await new Promise((resolve) => setTimeout(resolve, 200))
      ${more}`
    const flags = ["--conditions=@pawl/source", "--input-type=module", "-e", script]
    return (await promisify(execFile)(process.execPath, flags)).stdout
  }

  await run("")
  const asking = run(`fetch("${silent.url}", { method: "POST" }).catch(() => console.log("It was there."))
    setTimeout(() => {}, 1).unref()`)
  await expect.poll(() => silent.sockets).toHaveLength(2)
  await expect.poll(() => silent.sockets[1]?.bytesRead ?? 0).toBeGreaterThan(0)
  silent.sockets[1]?.destroy()
  expect(await asking).toBe("It was there.\n")
})
