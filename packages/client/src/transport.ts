import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { ServerError } from "./server-error.ts"

/** The place of a server: an address such as `http://127.0.0.1:4096`, or the absolute path of a unix socket. */
export type ServerAddress = { readonly url: string } | { readonly socket: string }

export type Target = ServerAddress & {
  /** Not needed for a unix socket. */
  readonly token?: string | undefined
}

export interface Outgoing {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends a request and returns the answer when its headers are here. Rejects with ServerError if it is not a success. Does
 * not use `fetch`, which gives up on a turn that takes more than five minutes, and knows no unix sockets.
 */
export async function send(target: Target, outgoing: Outgoing): Promise<IncomingMessage> {
  const { method, path, headers = {}, body, signal } = outgoing
  const text = body === undefined ? undefined : JSON.stringify(body)
  const sent = request({
    ...placeOf(target),
    path,
    method,
    // A connection that the server has closed meanwhile is never used again.
    agent: false,
    headers: {
      ...headers,
      ...(target.token === undefined ? {} : { authorization: `Bearer ${target.token}` }),
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    },
    ...(signal ? { signal } : {}),
  })
  sent.end(text)
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  // An aborted request reports its error here too.
  sent.on("error", () => undefined)
  const { statusCode = 0 } = answer
  if (statusCode >= 200 && statusCode < 300) return answer
  throw new ServerError(statusCode, await textOf(answer))
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of answer) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}

function placeOf(target: ServerAddress) {
  if ("socket" in target) return { socketPath: target.socket, host: "localhost" }
  const { protocol, hostname, port } = new URL(target.url)
  if (protocol !== "http:") throw new TypeError(`${target.url} is not an address that begins with http://.`)
  return { hostname, port }
}
