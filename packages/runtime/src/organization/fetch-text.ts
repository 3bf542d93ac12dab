import type { IncomingMessage } from "node:http"
import type { RuntimeHost } from "../host.ts"

export interface Fetched {
  readonly status: number
  /** Empty if the status is not 200. */
  readonly text: string
}

export interface FetchOptions {
  readonly environment: RuntimeHost["environment"]
  /** Milliseconds for the whole request, including redirects. */
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
}

const MAX_REDIRECTS = 3
const MAX_BYTES = 256 * 1024

/**
 * Fetches the text at an address. Follows redirects only on the same server, because the sign-in is not for other servers.
 * Rejects with the reason as the end of a sentence about the address.
 */
export async function fetchText(address: URL, { environment, deadline, signal }: FetchOptions): Promise<Fetched> {
  const limit = AbortSignal.timeout(deadline)
  const ended = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    let url = address
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await get(url, environment, ended)
      const next = redirection(response, url)
      if (next === undefined) return await read(response)
      response.destroy()
      if (next.origin !== address.origin) throw new Error(`leads to another server, ${next.origin}`)
      url = next
    }
    throw new Error("redirects again and again")
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) throw new Error(`did not answer within ${deadline / 1000} s`, { cause: error })
    throw error
  }
}

async function get(url: URL, environment: RuntimeHost["environment"], signal: AbortSignal): Promise<IncomingMessage> {
  const [http, https] = await Promise.all([import("node:http"), import("node:https")])
  const isSecure = url.protocol === "https:"
  const request = isSecure ? https.request : http.request
  const agent = new (isSecure ? https : http).Agent({ proxyEnv: { ...environment } })
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { accept: "application/json", "accept-encoding": "identity" }
  request(url, { agent, headers, signal }, resolve)
    .on("error", (error: NodeJS.ErrnoException) => {
      reject(new Error(`cannot be reached: ${error.code ?? error.message}`, { cause: error }))
    })
    .end()
  return await promise
}

function redirection({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (statusCode < 300 || statusCode > 399 || location === undefined) return undefined
  const next = URL.parse(location, from.href)
  if (next === null) throw new Error("redirects to an invalid address")
  return next
}

async function read(response: IncomingMessage): Promise<Fetched> {
  const { statusCode: status = 0 } = response
  if (status !== 200) {
    response.destroy()
    return { status, text: "" }
  }
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > MAX_BYTES) throw new Error(`sends more than ${MAX_BYTES / 1024} KiB`)
    pieces.push(piece)
  }
  return { status, text: Buffer.concat(pieces).toString("utf8") }
}
