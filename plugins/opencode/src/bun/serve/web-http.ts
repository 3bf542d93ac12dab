import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

/** `origin` is used if the request names no host. Throws if the address is invalid. */
export function toRequest(message: IncomingMessage, origin: URL, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headersDistinct } = message
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  const base = new URL(origin)
  base.host = message.headers.host ?? origin.host
  const hasBody = method !== "GET" && method !== "HEAD"
  const body = hasBody ? (Readable.toWeb(message) as unknown as ReadableStream) : undefined
  // An address that begins with two slashes is a path here, not a host.
  const address = url.startsWith("/") ? new URL(base.origin + url) : new URL(url, base)
  return new Request(address, { method, headers, signal, ...(body ? { body, duplex: "half" } : {}) })
}

/** Rejects if either side closes the connection before the end. */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  const cookies = response.headers.getSetCookie()
  for (const [name, value] of response.headers) if (name !== "set-cookie") to.setHeader(name, value)
  if (cookies.length > 0) to.setHeader("set-cookie", cookies)
  to.writeHead(response.status, response.statusText || undefined)
  if (response.body && to.req.method !== "HEAD") await pipeline(Readable.fromWeb(response.body), to)
  else to.end()
}
