import { once } from "node:events"
import type { IncomingHttpHeaders } from "node:http"
import { ProviderError } from "@pawl/core/provider"
import { describe, expect, it } from "vitest"
import { localServer } from "@pawl/provider-testkit/local-server"
import { createHTTPFetch } from "./http-fetch.ts"

const fetch = createHTTPFetch()
const secrets = { Authorization: "Bearer s", "api-key": "s", "x-api-key": "s", cookie: "s", "x-team": "s" }

describe("a redirect", () => {
  it("to the same server takes everything along", async () => {
    const seen: unknown[] = []
    await using server = await localServer((request, response) => {
      if (request.url === "/") return void response.writeHead(307, { location: "/there" }).end()
      request.on("data", (chunk: Buffer) => seen.push(request.method, request.headers["api-key"], chunk.toString()))
      request.on("end", () => response.end("there"))
    })

    const response = await fetch(server.url, { method: "POST", body: "x", headers: secrets })

    expect(await response.text()).toBe("there")
    expect(seen).toEqual(["POST", "s", "x"])
  })

  it.each([301, 302, 303, 307, 308])("with status %i takes no prompt to another server", async (status) => {
    let asked = 0
    await using other = await localServer((_request, response) => {
      asked++
      response.end("there")
    })
    const location = `${other.url}v1/chat/completions?key=s`
    await using server = await localServer((_request, response) => void response.writeHead(status, { location }).end())

    const failure: unknown = await fetch(server.url, { method: "POST", body: "x" }).catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(ProviderError)
    expect(failure).toMatchObject({
      kind: "invalid-request",
      message: `The server at ${server.url.slice(0, -1)} redirects to another one, ${other.url}v1/chat/completions, which was sent neither the prompt nor the key. If it is the right one, set its address as the base URL of this provider.`,
    })
    expect(asked).toBe(0)
  })

  it("takes a question without a body to another server, but nothing that may be a key", async () => {
    let seen: IncomingHttpHeaders = {}
    await using other = await localServer(({ headers }, response) => {
      seen = headers
      response.end("there")
    })
    await using server = await localServer((_request, response) => {
      response.writeHead(302, { location: other.url }).end()
    })

    const response = await fetch(server.url, { headers: { ...secrets, Accept: "text/plain", "User-Agent": "pawl" } })

    expect(await response.text()).toBe("there")
    expect(seen).toEqual({
      accept: "text/plain",
      "user-agent": "pawl",
      "accept-encoding": "identity",
      host: new URL(other.url).host,
      connection: "keep-alive",
    })
  })

  it("that never ends is given up", async () => {
    let asked = 0
    await using server = await localServer((request, response) => {
      asked++
      response.writeHead(302, { location: request.url ?? "/" }).end()
    })

    await expect(fetch(server.url)).rejects.toThrow(expect.objectContaining({ cause: new Error("too many redirects") }))
    expect(asked).toBe(6)
  })

  it.each(["http://", "http://a b/", "ftp://127.0.0.1/x"])("to %s is a failure with a cause", async (location) => {
    await using server = await localServer((_request, response) => void response.writeHead(302, { location }).end())

    await expect(fetch(server.url)).rejects.toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { name: "TypeError" },
    })
  })

  it("whose body has no end keeps no connection", async () => {
    await using server = await localServer((request, response) => {
      if (request.url !== "/") return void response.end("there")
      response.writeHead(302, { location: "/there" }).write("more to come")
    })

    const response = await fetch(server.url)

    expect(await response.text()).toBe("there")
    const [first] = server.sockets
    if (first?.closed === false) await once(first, "close")
    expect(first?.closed).toBe(true)
  })
})
