import { readFileSync } from "node:fs"
import {
  createServer as createPlain,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http"
import { createServer as createSecure } from "node:https"
import { type AddressInfo, connect, type Socket } from "node:net"

const certificates = new URL("../../../packages/provider-http/test/certificate/", import.meta.url)

/** The path of the certificate that `secureFront` has, which nobody trusts by itself. */
export const certificateFile = new URL("certificate.pem", certificates).pathname

export interface Front extends AsyncDisposable {
  readonly origin: string
  /** What it was asked, in order: `GET /path`, `POST http://host/path`, `CONNECT host:port`. */
  readonly asked: readonly string[]
}

/** A server that hands requests on to another one, over TLS. */
export function secureFront(target: string): Promise<Front> {
  const asked: string[] = []
  const file = (name: string) => readFileSync(new URL(name, certificates), "utf8")
  const server = createSecure({ key: file("key.pem"), cert: file("certificate.pem") }, handOn(target, asked))
  return listening(server, asked, "https")
}

/** A proxy that brings every request, whatever its host, to one server; and connections to where they want to go. */
export function proxyFront(target: string): Promise<Front> {
  const asked: string[] = []
  const server = createPlain(handOn(target, asked))
  server.on("connect", (message: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${message.url}`)
    const [host = "", port] = (message.url ?? "").split(":")
    const onward = connect(Number(port), host, () => socket.write("HTTP/1.1 200 Connected\r\n\r\n"))
    for (const each of [onward, socket]) each.on("error", () => undefined)
    onward.pipe(socket).pipe(onward)
  })
  return listening(server, asked, "http")
}

function handOn(target: string, asked: string[]): RequestListener {
  return (message, response) => {
    asked.push(`${message.method} ${message.url}`)
    const { pathname, search } = new URL(message.url ?? "/", target)
    const onward = request(new URL(pathname + search, target), { method: message.method, headers: message.headers })
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    message.pipe(onward)
  }
}

async function listening(server: Server, asked: readonly string[], scheme: string): Promise<Front> {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
