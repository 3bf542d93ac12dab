import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { type ChooseReply, type ModelServer, modelServer, type Reply } from "@pawl/model-server"
import { chunk, head, LAST_CHUNK } from "./http-bytes.ts"
import { type Act, end, play, send } from "./play.ts"
import type { WholeAnswer } from "./whole-answer.ts"

/** Changes an answer on its way. `ask` requests another reply from the server for the same request. */
export type Spoil = (answer: WholeAnswer, ask: (reply: Reply) => Promise<WholeAnswer>) => Acts | Promise<Acts>

type Acts = readonly Act[]

export interface FaultyFrontOptions {
  readonly replies: ChooseReply
  /** Decides about the answer of the n-th request, from 0. */
  readonly spoilOf: (index: number) => Spoil | undefined
}

/** A model server behind a proxy that simulates faults of networks and vendors. */
export interface FaultyFront extends AsyncDisposable, Pick<ModelServer, "url" | "origin"> {
  /** Number of complete requests for an answer. */
  readonly requests: number
  /** Bodies of requests that a strict server refuses. */
  readonly refusals: readonly string[]
  /** Refuses connections until `listen`. */
  deafen(): Promise<void>
  listen(): Promise<void>
}

export async function faultyFront({ replies, spoilOf }: FaultyFrontOptions): Promise<FaultyFront> {
  let other: Reply | undefined
  const model = await modelServer({ replies: (request, index) => other ?? replies(request, index) })
  const sockets = new Set<Socket>()
  const refusals: string[] = []
  let requests = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on("error", () => undefined)
    socket.once("close", () => sockets.delete(socket))
    void serve(socket).catch(() => socket.destroy())
  })

  async function serve(socket: Socket): Promise<void> {
    const request = await readRequest(socket)
    if (!request) return
    // Requests for the list of models.
    if (request.method !== "POST") return play(whole(await handOn(model.origin, request)), socket)
    const spoil = spoilOf(requests++)
    const ask = async (reply: Reply) => {
      other = reply
      try {
        return await handOn(model.origin, request)
      } finally {
        other = undefined
      }
    }
    const answer = await handOn(model.origin, request)
    if (answer.status === 400) refusals.push(`${answer.body.toString()} ${request.body.toString()}`)
    await play(spoil ? await spoil(answer, ask) : whole(answer), socket)
  }

  async function listen(port = 0): Promise<number> {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return (server.address() as AddressInfo).port
  }
  async function deafen(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    if (!server.listening) return
    server.close()
    await once(server, "close")
  }

  const port = await listen()
  const here = `http://127.0.0.1:${port}`
  return {
    origin: here,
    url: `${here}/v1`,
    get requests() {
      return requests
    },
    refusals,
    deafen,
    listen: async () => void (server.listening || (await listen(port))),
    async [Symbol.asyncDispose]() {
      await deafen()
      await model.close()
    },
  }
}

/** Returns the unchanged answer. */
export function whole(answer: WholeAnswer): readonly Act[] {
  return [send(head(answer, "chunked")), send(chunk(answer.body)), send(LAST_CHUNK), end]
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** Returns undefined if the client disconnects before the end of its request. */
async function readRequest(socket: Socket): Promise<Request | undefined> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk])
    const end = bytes.indexOf("\r\n\r\n")
    if (end < 0) continue
    const [first = "", ...lines] = bytes.subarray(0, end).toString().split("\r\n")
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    )
    const body = bytes.subarray(end + 4)
    if (body.length < Number(headers["content-length"] ?? 0)) continue
    const [method = "", path = ""] = first.split(" ")
    // A closed connection is noticed only while the socket is read.
    socket.resume()
    return { method, path, headers, body }
  }
  return undefined
}

function handOn(origin: string, { method, path, headers, body }: Request): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, origin), { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.once("error", reject)
      response.once("end", () => {
        const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(told), body: Buffer.concat(chunks) })
      })
    })
    request.once("error", reject)
    request.end(body)
  })
}
