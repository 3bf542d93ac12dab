import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

/** An HTTP response in progress. Every method throws or rejects after the connection is closed. */
export interface Outlet {
  /** Aborts when either side closes the connection, and when the answer is complete. */
  readonly signal: AbortSignal
  /** True if `cut` closed the connection. */
  readonly wasCut: boolean
  /** Sends a complete answer with its length. */
  send(status: number, headers: Headers, body: string): void
  /** Sets the headers of an answer of unknown length. They are sent with the first `write`. */
  head(status: number, headers: Headers): void
  /** Resolves when the client can receive more. */
  write(bytes: string | Buffer): Promise<void>
  /** Resolves with the result of `work`. Rejects if the connection closes first. */
  during<Result>(work: Promise<Result>): Promise<Result>
  pause(milliseconds: number): Promise<void>
  /** Rejects when the connection closes. */
  stall(): Promise<never>
  /** Destroys the socket after all earlier writes were sent. */
  cut(): Promise<void>
  end(bytes?: string): void
}

type Headers = Readonly<Record<string, string>>

/** Wraps a response. Calls `onHead` when the status is known. */
export function openOutlet(response: ServerResponse, onHead: (status: number) => void): Outlet {
  const { signal, abort } = closing(response)
  let wasCut = false
  let lastWrite: Promise<void> = Promise.resolve()

  async function stall(): Promise<never> {
    signal.throwIfAborted()
    await once(signal, "abort")
    throw signal.reason
  }

  return {
    signal,
    get wasCut() {
      return wasCut
    },
    send(status, headers, body) {
      signal.throwIfAborted()
      onHead(status)
      response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body)
    },
    head(status, headers) {
      signal.throwIfAborted()
      onHead(status)
      response.writeHead(status, headers)
    },
    async write(bytes) {
      signal.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<void>()
      lastWrite = promise
      if (!response.write(bytes, () => resolve())) await once(response, "drain", { signal })
    },
    async pause(milliseconds) {
      await sleep(milliseconds, undefined, { signal })
    },
    during: (work) => Promise.race([work, stall()]),
    stall,
    async cut() {
      signal.throwIfAborted()
      await lastWrite
      wasCut = true
      response.destroy()
      abort()
    },
    end(bytes) {
      signal.throwIfAborted()
      response.end(bytes)
    },
  }
}

function closing(response: ServerResponse): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (response.closed) abort()
  else response.once("close", abort)
  return { signal: controller.signal, abort }
}
