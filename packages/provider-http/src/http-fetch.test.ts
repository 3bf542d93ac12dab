import { getEventListeners, once } from "node:events"
import type { RequestListener } from "node:http"
import { type AddressInfo, createServer as createSilentServer, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { type LocalServer, localServer } from "@pawl/provider-testkit/local-server"
import { createHTTPFetch } from "./http-fetch.ts"

const servers: LocalServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

describe("the fetch over node:http", () => {
  const fetch = createHTTPFetch()

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

  it("asks for an answer that is not compressed, unless told otherwise", async () => {
    const url = await serve((request, response) => void response.end(request.headers["accept-encoding"]))

    expect(await (await fetch(url)).text()).toBe("identity")
    expect(await (await fetch(url, { headers: { "accept-encoding": "br" } })).text()).toBe("br")
  })

  it("sends a request again, on a new connection, when the server closed the kept ones", async () => {
    const answered = new Set<Socket>()
    await using server = await localServer(({ socket, method }, response) => {
      if (answered.has(socket)) return void socket.destroy()
      answered.add(socket)
      setTimeout(() => response.end(method), 20)
    })
    const post = async () => (await fetch(server.url, { method: "POST", body: "{}" })).text()
    await Promise.all([post(), post(), post()])

    expect(await post()).toBe("POST")

    expect(server.sockets).toHaveLength(4)
  })

  it("does not send a request again that failed on a new connection, or on a kept one after its answer began", async () => {
    let asked = 0
    await using server = await localServer(({ socket, url }, response) => {
      asked++
      if (url === "/close") return void socket.destroy()
      if (url === "/kept") return void response.end("ok")
      response.writeHead(200).write("half", () => socket.destroy())
    })

    await expect(fetch(`${server.url}close`)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } })
    await (await fetch(`${server.url}kept`)).text()
    await expect((await fetch(server.url)).text()).rejects.toThrow("terminated")
    expect(asked).toBe(3)
  })

  it("leaves nothing behind on a signal that many requests share", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/cut") request.socket.destroy()
      else response.end("ok")
    })
    const { signal } = new AbortController()

    for (let n = 0; n < 5; n++) await (await fetch(url, { signal })).text()
    await expect(fetch(`${url}cut`, { signal })).rejects.toThrow("fetch failed")
    await (await fetch(url, { signal })).body?.cancel()

    await expect.poll(() => getEventListeners(signal, "abort")).toHaveLength(0)
  })

  it.each([
    ["an address", (host: string) => `http://${host}`],
    ["an address without a scheme", (host: string) => host],
    ["a user without a scheme", (host: string) => `ann:secret@${host}`],
  ])("asks the proxy that the environment names by %s", async (_form, written) => {
    const proxy = await serve((request, response) => void response.end(`by proxy: ${request.url}`))
    const proxied = createHTTPFetch({ environment: { HTTP_PROXY: written(new URL(proxy).host) } })

    expect(await (await proxied("http://models.test/v1/models")).text()).toBe("by proxy: http://models.test/v1/models")
  })

  it("gives up a server that accepts a connection and then says nothing to secure it", async () => {
    const silent = createSilentServer()
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    const { port } = silent.address() as AddressInfo
    const impatient = createHTTPFetch({ connectTimeout: 50 })

    await expect(impatient(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      message: "fetch failed",
      cause: { code: "ETIMEDOUT", message: "no connection within 0.05 s" },
    })
    silent.close()
  })

  it("waits for an answer as long as it takes, once connected, on a new connection and on a kept one", async () => {
    const url = await serve((_request, response) => void setTimeout(() => response.end("late"), 150))
    const impatient = createHTTPFetch({ connectTimeout: 50 })

    for (let n = 0; n < 2; n++) expect(await (await impatient(url)).text()).toBe("late")
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
  const server = await localServer(listener)
  servers.push(server)
  return server.url
}
