import type { ClientRequest, RequestOptions } from "node:http"
import type { Socket } from "node:net"

/** Opens requests over kept connections. */
export interface Transport {
  open(url: URL, options: RequestOptions): ClientRequest
  /** Closes the connections that no request uses, so that the next one gets a new connection. */
  closeIdle(): void
}

/** `connectTimeout`: milliseconds for a connection to stand, TLS included; 0 for no limit. Loads modules when used. */
export function createTransport(environment: NodeJS.ProcessEnv, connectTimeout: number): Transport {
  const load = (secure: boolean) => {
    // An import would evaluate every export of the module, and one of them loads the global fetch.
    const { Agent, request } = process.getBuiltinModule(secure ? "node:https" : "node:http")
    // Newer than the types.
    const agent = new Agent({ keepAlive: true, proxyEnv: environment })
    return { agent, request: (url: URL, options: RequestOptions) => request(url, { ...options, agent }) }
  }
  let plain: ReturnType<typeof load> | undefined
  let secure: ReturnType<typeof load> | undefined
  return {
    open(url, options) {
      const { request } = url.protocol === "https:" ? (secure ??= load(true)) : (plain ??= load(false))
      const opened = request(url, options)
      if (connectTimeout > 0) limitConnecting(opened, connectTimeout)
      return opened
    },
    closeIdle() {
      const idle = [plain, secure].flatMap((used) => Object.values(used?.agent.freeSockets ?? {}))
      for (const socket of idle.flat()) socket?.destroy()
    },
  }
}

function limitConnecting(request: ClientRequest, timeout: number): void {
  const giveUp = () => {
    request.destroy(Object.assign(new Error(`no connection within ${timeout / 1000} s`), { code: "ETIMEDOUT" }))
  }
  const timer = setTimeout(giveUp, timeout)
  const stop = () => clearTimeout(timer)
  request.once("close", stop)
  request.once("socket", (socket: Socket & { readonly secureConnecting?: boolean }) => {
    // A kept connection stands already.
    if (!socket.connecting && !socket.secureConnecting) return stop()
    socket.once(socket.secureConnecting === undefined ? "connect" : "secureConnect", stop)
  })
}
