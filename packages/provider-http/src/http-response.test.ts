import { once } from "node:events"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { localServer, socketServer } from "@pawl/provider-testkit/local-server"
import { createHTTPFetch } from "./http-fetch.ts"
import { toResponse } from "./http-response.ts"

const fetch = createHTTPFetch()

describe("an answer whose reader leaves", () => {
  it("is let go without harm, whatever has been received of it", async () => {
    await using server = await localServer((_request, response) => {
      for (let n = 0; n < 20; n++) response.write(`piece ${n}`)
      response.end()
    })

    for (let n = 0; n < 50; n++) {
      const response = await fetch(server.url, { method: "POST", body: "{}" })
      await response.body?.cancel()
    }

    // Errors that nobody can catch would come by now, and fail the run.
    await new Promise(setImmediate)
    expect(server.sockets.length).toBeGreaterThan(0)
  })

  it("closes the connection while there is more to come", async () => {
    await using server = await localServer((_request, response) => void response.write("half"))
    const response = await fetch(server.url)

    await response.body?.cancel()

    const [socket] = server.sockets
    if (socket?.closed === false) await once(socket, "close")
    expect(socket?.closed).toBe(true)
  })
})

describe("an answer of many small pieces", () => {
  const pieces = Array.from({ length: 200 }, (_, n) => `data: ${n}\n\n`)

  it("is handed on as it comes, what comes together as one", async () => {
    await using server = await localServer((_request, response) => {
      for (const piece of pieces) response.write(piece)
      response.end()
    })
    const read: string[] = []
    for await (const chunk of (await fetch(server.url)).body ?? []) read.push(Buffer.from(chunk).toString())

    expect(read.join("")).toBe(pieces.join(""))
    expect(read.length).toBeLessThan(pieces.length / 10)
  })

  it("has all that came before it broke, also with the same piece", async () => {
    const message = new IncomingMessage(new Socket())
    const reader = toResponse(message, new URL("http://models.test/")).body?.getReader()
    const first = reader?.read()
    setImmediate(() => {
      message.push("a")
      message.push("b")
      message.destroy(new Error("gone"))
    })

    expect(Buffer.from((await first)?.value ?? []).toString()).toBe("ab")
    await expect(reader?.read()).rejects.toMatchObject({ message: "terminated" })
  })

  it("may be left while a piece is on its way", async () => {
    const message = new IncomingMessage(new Socket())
    const reader = toResponse(message, new URL("http://models.test/")).body?.getReader()
    void reader?.read()
    await new Promise(setImmediate)
    message.push("a")
    await reader?.cancel()
    message.push("b")

    // An error that nobody can catch would come by now, and fail the run.
    await new Promise(setImmediate)
    expect(message.destroyed).toBe(true)
  })
})

describe("an answer that was compressed", () => {
  const words = "häuser ".repeat(10_000)

  it.each([
    ["gzip", gzipSync(words)],
    ["x-gzip", gzipSync(words)],
    ["deflate", deflateSync(words)],
    ["br", brotliCompressSync(words)],
    ["identity", Buffer.from(words)],
  ])("with %s is read as it was before", async (encoding, bytes) => {
    await using server = await localServer((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(bytes)
    })

    expect(await (await fetch(server.url)).text()).toBe(words)
  })

  it("is handed on piece by piece", async () => {
    await using server = await localServer((_request, response) => {
      const gzip = createGzip()
      gzip.pipe(response.writeHead(200, { "content-encoding": "gzip" }))
      gzip.write("first")
      gzip.flush()
    })
    const reader = (await fetch(server.url)).body?.getReader()

    const piece = await reader?.read()

    expect(Buffer.from(piece?.value ?? []).toString()).toBe("first")
    await reader?.cancel()
  })

  it("breaks off with the connection, is refused when it is none, and ends with the signal's reason", async () => {
    await using server = await localServer((request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" })
      if (request.url === "/none") return void response.end("plain text")
      response.write(gzipSync(words).subarray(0, 20), () => {
        if (request.url === "/cut") response.socket?.destroy()
      })
    })
    const controller = new AbortController()
    const terminated = expect.objectContaining({ name: "TypeError", message: "terminated" })

    await expect((await fetch(`${server.url}cut`)).text()).rejects.toThrow(terminated)
    await expect((await fetch(`${server.url}none`)).text()).rejects.toThrow(terminated)
    const aborted = (await fetch(server.url, { signal: controller.signal })).text()
    controller.abort(new Error("enough"))
    await expect(aborted).rejects.toThrow("enough")
  })
})

describe("an answer that breaks off", () => {
  it("together with its head, is a failure and no silence", async () => {
    await using server = await socketServer((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot a length\r\n"))
    })

    const reading = fetch(server.url).then((response) => response.text())

    await expect(reading).rejects.toBeInstanceOf(TypeError)
  })

  it("is a failure also when it closes without an error", async () => {
    const message = new IncomingMessage(new Socket())
    const reading = toResponse(message, new URL("http://127.0.0.1/")).text()

    message.destroy()

    await expect(reading).rejects.toMatchObject({
      message: "terminated",
      cause: { message: "The connection was closed before the answer ended." },
    })
  })

  const part = Buffer.alloc(200 * 1024)
  it.each([
    ["nothing of it", [], ""],
    ["a part of it", [part], "data"],
    ["more of it than is read ahead", [part, part, part], "pause"],
    ["all of it", [part, null], "end"],
  ])("by an abort, with %s received and not read, ends with the signal's reason", async (_amount, chunks, event) => {
    const message = new IncomingMessage(new Socket())
    const controller = new AbortController()
    const response = toResponse(message, new URL("http://models.test/"), controller.signal)
    const received = chunks.length > 0 && once(message, event)
    for (const chunk of chunks) message.push(chunk)
    await received

    controller.abort(new Error("enough"))

    await expect(response.text()).rejects.toThrow("enough")
    expect(message.destroyed).toBe(true)
  })

  it("by an abort before its head was looked at, ends with the signal's reason", async () => {
    const response = toResponse(
      new IncomingMessage(new Socket()),
      new URL("http://models.test/"),
      AbortSignal.abort("x"),
    )

    await expect(response.text()).rejects.toBe("x")
  })
})
