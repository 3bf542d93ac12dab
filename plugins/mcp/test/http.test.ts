import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { createHTTPServer, type HTTPOptions } from "./http-server.ts"
import { createScene, type Scene, until } from "./scene.ts"

const sceneFor = (url: string, extra: object = {}): Promise<Scene> =>
  createScene({ servers: () => ({ web: { config: { type: "remote", url, ...extra }, scope: "user" } }) })
const echoed = { content: [{ text: 'echo: {"a":1}' }] }

describe.each<[string, HTTPOptions, string]>([
  ["Streamable HTTP", {}, "http"],
  ["Streamable HTTP that answers with JSON", { json: true }, "http"],
  ["SSE alone", { kind: "sse" }, "sse"],
])("a server that knows %s", (_, options, transport) => {
  it("is connected, and called", async () => {
    await using server = await createHTTPServer(options)
    await using scene = await sceneFor(server.url, { headers: { "X-Key": "k" } })

    expect(await scene.control.call("web", "echo", { a: 1 })).toMatchObject(echoed)
    expect(await scene.control.status()).toMatchObject([{ status: "connected", transport }])
    expect(server.headers()["x-key"]).toBe("k")
  })

  it("that goes away during a call ends the call, and is there again when it is back", async () => {
    await using server = await createHTTPServer(options)
    await using scene = await sceneFor(server.url)
    await scene.control.connect("web")
    const calling = scene.control.call("web", "hang", {}).catch((thrown: unknown) => thrown)
    await until(() => server.calls.length > 0, "the call has begun")

    await server.stop()
    expect(await calling).toMatchObject({ name: "McpServerError", kind: "connection-lost" })

    await server.again()
    expect(await scene.control.call("web", "echo", { a: 1 })).toMatchObject(echoed)
  })
})

describe("a server that sends elsewhere", () => {
  it.each([307, 302])("with status %i is not followed: neither request nor headers get there", async (status) => {
    const seen: string[] = []
    const elsewhere = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      response.end()
    }).listen(0, "127.0.0.1")
    await once(elsewhere, "listening")
    const { port } = elsewhere.address() as AddressInfo
    const sending = createServer((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/internal` }).end()
    }).listen(0, "127.0.0.1")
    await once(sending, "listening")
    onTestFinished(() => [elsewhere, sending].forEach((server) => void server.close()))
    const url = `http://127.0.0.1:${(sending.address() as AddressInfo).port}/mcp`
    await using scene = await sceneFor(url, { headers: { "X-Key": "secret" } })

    await expect(scene.control.connect("web")).rejects.toThrow("could not be connected")
    expect(seen).toEqual([])
  })
})

describe("a server over Streamable HTTP", () => {
  it("that has forgotten the session is asked again with a new one", async () => {
    await using server = await createHTTPServer()
    await using scene = await sceneFor(server.url)
    await scene.control.connect("web")

    server.forget()

    expect(await scene.control.call("web", "echo", { a: 1 })).toMatchObject(echoed)
  })

  it("that drops a call's answer ends the call", async () => {
    await using server = await createHTTPServer()
    await using scene = await sceneFor(server.url)

    await expect(scene.control.call("web", "drop", {})).rejects.toMatchObject({ kind: "connection-lost" })
  })

  it("tells of new tools", async () => {
    await using server = await createHTTPServer()
    await using scene = await sceneFor(server.url)
    await scene.control.connect("web")
    await until(
      () => server.requests.some((request) => request.startsWith("GET")),
      "the stream of notifications is open",
    )

    await server.growTools()

    await until(async () => (await scene.control.status())[0]?.waiting.length === 1, "the new tool is known")
    expect(await scene.control.status()).toMatchObject([{ waiting: ["grown"] }])
  })

  it("is told goodbye", async () => {
    await using server = await createHTTPServer()
    const scene = await sceneFor(server.url)
    await scene.control.connect("web")
    await scene[Symbol.asyncDispose]()
    expect(server.requests.at(-1)).toBe("DELETE /mcp")
  })
})

describe("a server that requires authorization", () => {
  it("needs authorization", async () => {
    await using server = await createHTTPServer()
    server.guard("t")
    await using scene = await sceneFor(server.url)

    await expect(scene.control.connect("web")).rejects.toThrow("Run: pawl mcp auth web")
    expect(await scene.control.status()).toMatchObject([{ status: "needs_auth" }])
    expect(server.requests).toHaveLength(1)
  })

  it("from now on, needs it from the next call on", async () => {
    await using server = await createHTTPServer()
    await using scene = await sceneFor(server.url)
    await scene.control.connect("web")

    server.guard("t")

    await expect(scene.control.call("web", "echo", {})).rejects.toMatchObject({ kind: "needs-auth" })
    expect(await scene.control.status()).toMatchObject([{ status: "needs_auth" }])
  })

  it("is satisfied with a token from whoever is asked for one", async () => {
    await using server = await createHTTPServer()
    server.guard("t")
    const asked: unknown[] = []
    await using scene = await createScene({
      servers: () => ({ web: { config: { type: "remote", url: server.url, oauth: { scope: "s" } }, scope: "user" } }),
      authFor(about, fetch) {
        asked.push(about)
        return (url, init) => {
          const headers = new Headers(init?.headers)
          headers.set("authorization", "Bearer t")
          return fetch(url, { ...init, headers })
        }
      },
    })

    expect(await scene.control.call("web", "echo", { a: 1 })).toMatchObject(echoed)
    expect(asked).toEqual([{ name: "web", url: server.url, oauth: { scope: "s" } }])
  })

  it("is satisfied with a header of the configuration", async () => {
    await using server = await createHTTPServer()
    server.guard("t")
    await using scene = await sceneFor(server.url, { headers: { Authorization: "Bearer t" } })

    expect(await scene.control.call("web", "echo", { a: 1 })).toMatchObject(echoed)
  })
})
