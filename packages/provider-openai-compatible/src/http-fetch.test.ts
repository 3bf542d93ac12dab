import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import { type AddressInfo, createServer as createSilentServer } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { createHTTPFetch } from "./http-fetch.ts"

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe("the fetch over node:http", () => {
  const fetch = createHTTPFetch({})

  it("sends method, headers and body, and reads status, headers and text", async () => {
    const url = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        response.writeHead(201, { "X-Kind": "echo" })
        response.end(`${request.method} ${String(request.headers["x-a"])} ${Buffer.concat(chunks).toString()}`)
      })
    })

    const response = await fetch(url, { method: "POST", headers: { "X-A": "1" }, body: "häuser" })

    expect([response.status, response.ok, response.headers.get("X-Kind")]).toEqual([201, true, "echo"])
    expect(Object.fromEntries(response.headers)).toMatchObject({ "x-kind": "echo" })
    expect(await response.text()).toBe("POST 1 häuser")
  })

  it("uses one connection for requests that follow each other", async () => {
    const ports = new Set<number | undefined>()
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.end("ok")
    })

    for (let n = 0; n < 3; n++) expect(await (await fetch(url)).text()).toBe("ok")

    expect(ports.size).toBe(1)
  })

  it("follows redirects, without credentials to another server", async () => {
    let seen: unknown = "nothing"
    const other = await serve((request, response) => {
      seen = request.headers.authorization
      response.end("there")
    })
    const url = await serve((_request, response) => void response.writeHead(307, { location: other }).end())

    const response = await fetch(url, { method: "POST", body: "x", headers: { Authorization: "Bearer secret" } })

    expect(await response.text()).toBe("there")
    expect(seen).toBeUndefined()
  })

  it("gives up a server that accepts a connection and then says nothing to secure it", async () => {
    const silent = createSilentServer()
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    const { port } = silent.address() as AddressInfo
    const impatient = createHTTPFetch({}, 50)

    await expect(impatient(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ETIMEDOUT", message: "no connection within 0.05 s" },
    })
    silent.close()
  })

  it("waits for an answer as long as it takes, once connected, on a new connection and on a kept one", async () => {
    const url = await serve((_request, response) => void setTimeout(() => response.end("late"), 150))
    const impatient = createHTTPFetch({}, 50)

    for (let n = 0; n < 2; n++) expect(await (await impatient(url)).text()).toBe("late")
  })

  it("gives up a redirect that never ends", async () => {
    const url = await serve((request, response) => void response.writeHead(302, { location: request.url ?? "/" }).end())

    await expect(fetch(url)).rejects.toThrow(expect.objectContaining({ cause: new Error("too many redirects") }))
  })

  it("fails like the global one when nobody listens, and when the answer breaks off", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200).write("half", () => response.socket?.destroy())
    })

    await expect(fetch("http://127.0.0.1:1/")).rejects.toThrow(
      expect.objectContaining({
        name: "TypeError",
        message: "fetch failed",
        cause: expect.objectContaining({ code: "ECONNREFUSED" }),
      }),
    )
    const broken = await fetch(url)
    await expect(broken.text()).rejects.toThrow(expect.objectContaining({ name: "TypeError", message: "terminated" }))
  })

  it("rejects with the signal's reason before, during and after the answer began", async () => {
    const silent = await serve(() => {})
    const started = await serve((_request, response) => void response.writeHead(200).write("half"))
    const reason = new Error("enough")

    await expect(fetch(silent, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const during = new AbortController()
    const pending = fetch(silent, { signal: during.signal })
    during.abort(reason)
    await expect(pending).rejects.toBe(reason)
    const after = new AbortController()
    const response = await fetch(started, { signal: after.signal })
    const text = response.text()
    after.abort(reason)
    await expect(text).rejects.toBe(reason)
  })

  it("holds a fast server back while nobody reads", async () => {
    let sent = 0
    const piece = Buffer.alloc(64 * 1024)
    const url = await serve((_request, response) => {
      const write = () => {
        while (sent < 64 * 1024 * 1024) {
          sent += piece.length
          if (!response.write(piece)) return void response.once("drain", write)
        }
        response.end()
      }
      write()
    })

    const response = await fetch(url)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(sent).toBeLessThan(48 * 1024 * 1024)
    let received = 0
    for await (const chunk of response.body ?? []) received += chunk.length
    expect(received).toBe(64 * 1024 * 1024)
  })
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
