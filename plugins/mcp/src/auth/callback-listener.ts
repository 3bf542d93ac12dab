import { timingSafeEqual } from "node:crypto"
import { createServer, type Server, type ServerResponse } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import type { CallbackAddress } from "./callback-address.ts"
import { callbackHeaders, callbackPage } from "./callback-page.ts"

/** The parameters that the authorization server sent through the browser. */
export interface CallbackAnswer {
  readonly parameters: URLSearchParams
  /** Shows a page in the browser. */
  show(isDone: boolean, text: string): Promise<void>
}

export interface CallbackListener extends AsyncDisposable {
  readonly redirect: string
  /** Resolves with the first answer that has this state. Refuses others. Rejects with the signal's reason. */
  answer(state: string, signal: AbortSignal): Promise<CallbackAnswer>
}

/** Returns undefined if no port is free. */
export async function listenForCallback(address: CallbackAddress): Promise<CallbackListener | undefined> {
  const expected: { state?: string; take?: (answer: CallbackAnswer) => void } = {}
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", "http://callback")
    if (request.method !== "GET" || url?.pathname !== address.path) return end(response, 404, "Nothing is here", "")
    const { state, take } = expected
    if (!take || state === undefined || !isSame(url.searchParams.get("state") ?? "", state)) {
      return end(
        response,
        400,
        "This is not the answer that pawl waits for",
        "Go back to the address that pawl has shown.",
      )
    }
    delete expected.take
    take({
      parameters: url.searchParams,
      show: (isDone, text) => shown(response, isDone ? 200 : 400, isDone ? "Done" : "This did not work", text),
    })
  })
  const port = await listenOnFirst(server, address)
  if (port === undefined) return undefined

  return {
    redirect: address.redirect(port),
    async answer(state, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<CallbackAnswer>()
      Object.assign(expected, { state, take: resolve })
      const stop = () => reject(signal.reason as Error)
      signal.addEventListener("abort", stop, { once: true })
      try {
        return await promise
      } finally {
        signal.removeEventListener("abort", stop)
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function listenOnFirst(server: Server, { host, ports }: CallbackAddress): Promise<number | undefined> {
  for (const port of ports) {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(false)
      else reject(error)
    }
    server.once("error", failed)
    server.listen(port, host, () => resolve(true))
    const isFree = await promise
    server.off("error", failed)
    if (isFree) return (server.address() as AddressInfo).port
    server.removeAllListeners("listening")
  }
  return undefined
}

function isSame(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function end(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, callbackHeaders).end(callbackPage(title, text))
}

async function shown(response: ServerResponse, status: number, title: string, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // The browser may have closed the connection.
  response.once("close", resolve).once("finish", resolve)
  end(response, status, title, text)
  if (!response.destroyed) await promise
}
