import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createTCPServer, type Server, type Socket } from "node:net"
import { onTestFinished } from "vitest"

export interface WebServer {
  readonly port: number
  /** `http://127.0.0.1:port`. */
  readonly origin: string
  /** Connections that were ever made to it. */
  connections(): number
}

/** An HTTP server on loopback, closed with its connections when the test ends. */
export function webServer(answer: RequestListener): Promise<WebServer> {
  return listening(createServer(answer))
}

/** A server that speaks whatever `answer` writes. */
export function rawServer(answer: (socket: Socket) => void): Promise<WebServer> {
  return listening(createTCPServer(answer))
}

/** Lets a server listen; closed with its connections when the test ends. */
export async function listening(server: Server): Promise<WebServer> {
  const open = new Set<Socket>()
  let connections = 0
  server.on("connection", (socket: Socket) => {
    connections++
    open.add(socket)
    socket.on("error", () => {}).once("close", () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, connections: () => connections }
}
