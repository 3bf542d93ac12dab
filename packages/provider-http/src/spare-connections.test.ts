import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { promisify } from "node:util"
import { expect, it, onTestFinished } from "vitest"
import { localServer, socketServer } from "@pawl/provider-testkit/local-server"
import { createHTTPClient } from "./http-fetch.ts"

const file = (name: string) => readFileSync(new URL(`../test/certificate/${name}`, import.meta.url), "utf8")
const post = { method: "POST", body: "{}" }

it("serves the next request, and is kept for those after it", async () => {
  await using server = await localServer((_request, response) => void response.end("ok"))
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  for (let n = 0; n < 3; n++) expect(await (await fetch(server.url, post)).text()).toBe("ok")
  expect(server.sockets).toHaveLength(1)
})

it("is waited for where it does not stand yet", async () => {
  await using server = await localServer((_request, response) => void response.end("ok"))
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  expect(await (await fetch(server.url, post)).text()).toBe("ok")
  expect(server.sockets).toHaveLength(1)
})

it("is secured before there is a request", async () => {
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
  expect(await (await fetch(url, post)).text()).toBe("secure")
  expect(secured).toHaveLength(1)
})

it("is not used where the server has closed it", async () => {
  await using server = await localServer((_request, response) => void response.end("ok"))
  const { connect, fetch } = createHTTPClient()

  connect(server.url)
  await expect.poll(() => server.sockets).toHaveLength(1)
  server.sockets[0]?.end()
  await expect.poll(() => server.sockets[0]?.closed).toBe(true)
  expect(await (await fetch(server.url, post)).text()).toBe("ok")
  expect(server.sockets).toHaveLength(2)
})

it("is a new one to its request, which is not sent again by itself", async () => {
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
  for (const url of ["http://127.0.0.1:1/", "https://127.0.0.1:1/", "no url"]) connect(url)

  await expect(fetch("http://127.0.0.1:1/", post)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } })
})

it("is not opened where a proxy stands between", async () => {
  await using server = await localServer((_request, response) => void response.end("ok"))
  const { connect } = createHTTPClient({ environment: { http_proxy: server.url, HTTPS_PROXY: server.url } })

  connect(server.url)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(server.sockets).toHaveLength(0)
})

it("keeps no process alive", async () => {
  await using silent = await socketServer(() => undefined)
  const client = new URL("./http-fetch.ts", import.meta.url).href
  const script = `const { createHTTPClient } = await import("${client}"); createHTTPClient().connect("${silent.url}")`
  const started = performance.now()
  await promisify(execFile)(process.execPath, ["--conditions=@pawl/source", "--input-type=module", "-e", script])

  expect(performance.now() - started).toBeLessThan(9_000)
})
