import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net"

export interface LocalServer extends AsyncDisposable {
  readonly url: string
  /** Every connection so far, in order. */
  readonly sockets: readonly Socket[]
}

/** An HTTP server on a free port. Closing it ends its connections. */
export async function localServer(listener: RequestListener): Promise<LocalServer> {
  // A kept connection ends only when the test says so.
  return listening(createServer({ keepAliveTimeout: 0 }, listener))
}

/** Serves raw bytes, for answers that are not valid HTTP. */
export async function socketServer(listener: (socket: Socket) => void): Promise<LocalServer> {
  return listening(createSocketServer(listener))
}

async function listening(server: Server): Promise<LocalServer> {
  const sockets: Socket[] = []
  server.on("connection", (socket) => {
    sockets.push(socket)
    // Clients leave as they like here.
    socket.on("error", () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
