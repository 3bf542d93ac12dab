import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { BunFile } from "../bun-file.ts"
import { type BunServer, serve, type ServeOptions } from "./serve.ts"

const servers: BunServer[] = []
function serving(options: ServeOptions): BunServer {
  const server = serve({ port: 0, ...options })
  servers.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)))
})
const ask = async (server: BunServer, path: string, init?: RequestInit) => {
  const response = await fetch(new URL(path, server.url), init)
  return `${response.status} ${await response.text()}`
}

describe("a server", () => {
  it("listens at once, for this machine alone, and answers what its handler gives", async () => {
    const server = serving({
      async fetch(request, self) {
        const { pathname, searchParams } = new URL(request.url)
        const about = [
          request.method,
          pathname,
          searchParams.get("q"),
          await request.text(),
          self.requestIP(request)?.address,
        ]
        return new Response(about.join(" "), {
          status: 201,
          headers: [
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
          ],
        })
      },
    })
    expect(server.port).toBeGreaterThan(0)
    expect(server.url.href).toBe(`http://localhost:${server.port}/`)
    const response = await fetch(new URL("/a?q=1", server.url), { method: "POST", body: "text" })
    expect([response.status, await response.text()]).toEqual([201, "POST /a 1 text 127.0.0.1"])
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"])
  })

  it("answers piece by piece, and hears that nobody waits any more", async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const server = serving({
      fetch(request) {
        request.signal.addEventListener("abort", () => resolve())
        return new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("first")) }),
        )
      },
    })
    const stop = new AbortController()
    const { body } = await fetch(server.url, { signal: stop.signal })
    const { value } = (await body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toBe("first")
    stop.abort()
    await gone
    await expect.poll(() => server.pendingRequests).toBe(0)
  })

  it("tells of errors by its own words, or by none of the handler's", async () => {
    const fails = () => Promise.reject(new Error("secret"))
    expect(await ask(serving({ fetch: fails }), "/")).toBe("500 Something went wrong!")
    const error = ({ message }: Error) => new Response(message, { status: 503 })
    expect(await ask(serving({ fetch: fails, error }), "/")).toBe("503 secret")
    expect(await ask(serving({ fetch: () => undefined }), "/")).toBe("500 Something went wrong!")
  })

  it("says when its port is taken, and gives it back when it stops", async () => {
    const options = { fetch: () => new Response("one") }
    const server = serving(options)
    expect(() => serve({ ...options, port: server.port })).toThrow(`cannot listen at 127.0.0.1:${server.port}`)
    await server.stop(true)
    expect(await ask(serving({ ...options, port: server.port }), "/")).toBe("200 one")
  })

  it("can be given another handler, and asked without the network", async () => {
    const server = serving({ fetch: () => new Response("one") })
    server.reload({ fetch: () => new Response("two") })
    expect(await ask(server, "/")).toBe("200 two")
    expect(await (await server.fetch("/x")).text()).toBe("two")
  })

  it.each(["websocket", "tls", "unix"])("refuses %s by name", (name) => {
    const options = { fetch: () => new Response(""), [name]: {} }
    expect(() => serve(options)).toThrow(`${name} of Bun.serve is not available`)
  })

  it("refuses what it has no answer for, and a name that is to be looked up", () => {
    expect(() => serve({})).toThrow("needs a `fetch` function, or `routes`")
    expect(() => serve({ port: 0, hostname: "a.example", fetch: () => new Response("") })).toThrow(
      "is not an IP address",
    )
  })
})

it("routes are literal, with names, by method, of a file, or all below a place", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-serve-"))
  await writeFile(join(directory, "a.txt"), "of a file")
  const server = serving({
    routes: {
      "/api/*": new Response("below", { status: 404 }),
      "/users/:id": ({ params }) => new Response(`user ${params?.["id"]}`),
      "/users/me": new Response("me"),
      "/posts": { GET: () => new Response("list"), POST: async (request) => Response.json(await request.json()) },
      "/file": new BunFile(join(directory, "a.txt")),
      "/off": false,
    },
    fetch: () => new Response("none", { status: 404 }),
  })
  expect(await ask(server, "/users/me")).toBe("200 me")
  expect(await ask(server, "/users/me")).toBe("200 me")
  expect(await ask(server, "/users/a%20b")).toBe("200 user a b")
  expect(await ask(server, "/posts")).toBe("200 list")
  expect(await ask(server, "/posts", { method: "POST", body: "[1]" })).toBe("200 [1]")
  expect(await ask(server, "/posts", { method: "DELETE" })).toBe("404 none")
  expect(await ask(server, "/api/v1/x")).toBe("404 below")
  expect(await ask(server, "/file")).toBe("200 of a file")
  expect(await ask(server, "/off")).toBe("404 none")
  await rm(directory, { recursive: true })
})
