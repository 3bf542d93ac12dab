import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { socketServer } from "@pawl/provider-testkit/local-server"
import { describe, expect, it } from "vitest"
import { answerBody } from "./answer-body.ts"
import { readHead } from "./body-head.ts"
import { createConnection } from "./connection.ts"

const MIB = 1024 * 1024
const plan = { id: "acme", baseURL: "http://models.test/v1", baseURLHint: "Is it?", needsKey: false }
const { fetch, streamFetch } = createConnection(plan, {})

/** A server that answers each request with these bytes. */
const serving = (answer: string | Buffer) => {
  return socketServer((socket: Socket) => socket.once("data", () => socket.end(answer)))
}

/** Chunks that never end, and how many were asked for. */
function endless(chunk: string) {
  const read = { chunks: 0 }
  const bytes = Buffer.from(chunk)
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      read.chunks++
      controller.enqueue(bytes)
    },
  })
  return { body, read }
}

describe("of an answer that has no end", () => {
  it("an error is read as far as people would, packed or not", async () => {
    const packed = gzipSync(Buffer.alloc(16 * MIB, "a"))
    const head = `HTTP/1.1 400 No\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`
    await using server = await serving(Buffer.concat([Buffer.from(head), packed]))

    const text = await (await streamFetch(server.url, { method: "POST" })).text()

    expect(text.length).toBeGreaterThan(1000)
    expect(text.length).toBeLessThan(MIB)
  })

  it("blanks before the first word are not waited for without end", async () => {
    const { body, read } = endless(" ".repeat(1024))

    expect((await readHead(body)).text).toBe("")
    expect(read.chunks).toBeLessThan(1000)
  })

  it("a document is not parsed anew for each of its bytes", async () => {
    const { body } = endless(`${"[1,".repeat(30)}]`)
    const parse = JSON.parse
    let parsed = 0
    JSON.parse = (text: string) => {
      parsed += text.length
      return parse(text) as unknown
    }
    try {
      await (await readHead(body)).document()
    } finally {
      JSON.parse = parse
    }
    expect(parsed).toBeLessThan(2 * MIB)
  })

  it("an event that grows and grows is broken off", async () => {
    const { body, read } = endless("data: ".padEnd(MIB, "a"))
    const reader = answerBody(body).getReader()
    const readAll = async () => {
      while (!(await reader.read()).done);
    }

    await expect(readAll()).rejects.toMatchObject({ kind: "incomplete-stream" })
    expect(read.chunks).toBeLessThan(100)
  })

  it("any number of events is read", async () => {
    const { body } = endless("data: ".padEnd(MIB, "a").concat("\r\n\r"))
    const { body: rest } = endless("\n")
    const chunks = [body.getReader(), rest.getReader()] as const
    let n = 0
    const alternating = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value } = await chunks[n++ % 2 === 0 ? 0 : 1].read()
        if (value) controller.enqueue(value)
      },
    })
    const reader = answerBody(alternating).getReader()
    for (let read = 0; read < 300; read++) expect((await reader.read()).done).toBe(false)
    await reader.cancel()
  })
})

it("a server that wants to speak another protocol is told at once, not waited for", async () => {
  await using server = await socketServer((socket) => {
    socket.once("data", () => socket.write("HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"))
  })

  await expect(fetch(server.url)).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ECONNABORTED" } })
})

it("limits of time that no timer can count are none that pass at once", async () => {
  await using server = await socketServer((socket) => {
    socket.once("data", () => setTimeout(() => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"), 30))
  })
  for (const wait of [2 ** 31, 1e15, Infinity]) {
    const options = { headerTimeout: wait, chunkTimeout: wait, connectTimeout: wait, timeout: wait }
    const connection = createConnection(plan, options)

    expect(await (await connection.fetch(server.url)).text()).toBe("ok")
    // Not a stream of events, which is what it says.
    expect(await (await connection.streamFetch(server.url)).text()).toBe("ok")
  }
})
