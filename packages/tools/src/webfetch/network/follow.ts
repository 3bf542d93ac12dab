import type { IncomingMessage, OutgoingHttpHeaders } from "node:http"
import { type AllowPrivate, judgedAddresses } from "@pawl/address-guard"
import type { Network } from "./network.ts"
import { isSameOrigin, pageURL } from "./page-url.ts"
import { sendRequest } from "./send-request.ts"

export type Answer =
  /** The caller must read the body to its end or destroy it. */
  | { readonly type: "page"; readonly url: URL; readonly response: IncomingMessage }
  /** A redirect to another host, which needs a new permission. Nothing was sent to it. */
  | { readonly type: "elsewhere"; readonly from: URL; readonly to: URL }

export interface FollowOptions {
  readonly network: Network
  readonly allowPrivate: AllowPrivate
  readonly headers: OutgoingHttpHeaders
  readonly signal: AbortSignal
}

const MAX_REDIRECTS = 10
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Requests a page and follows redirects within its host. Checks each hop's addresses before a socket is opened. */
export async function follow(start: URL, { network, allowPrivate, headers, signal }: FollowOptions): Promise<Answer> {
  let url = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const judged = await unlessAborted(judgedAddresses(url.hostname, network.resolve, allowPrivate), signal)
    const response = await sendRequest(url, { ...judged, headers, signal }, network)
    if (!REDIRECTS.has(response.statusCode ?? 0)) return { type: "page", url, response }
    response.destroy()
    const target = redirectTarget(response.headers.location, url)
    if (!isSameOrigin(url, target)) return { type: "elsewhere", from: url, to: target }
    url = target
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`)
}

function redirectTarget(location: string | undefined, base: URL): URL {
  if (location === undefined) throw new Error("it redirects without saying where to")
  // Node decodes headers as Latin-1, but servers send non-ASCII addresses as UTF-8.
  const target = pageURL(Buffer.from(location, "latin1").toString("utf8"), base)
  if (target.type === "refused") throw new Error(`it redirects to an address that ${target.reason}`)
  return target.url
}

/** The system's resolver cannot be aborted, so this only stops waiting for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}
