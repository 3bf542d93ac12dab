import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** The parts of a request that decide about it, before its body is read. */
export interface RequestHead {
  readonly method: string | undefined
  /** The request target as it was sent. */
  readonly target: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
}

export interface RequestHosts {
  /** Port of the loopback interface. */
  readonly port: number
  /** Origins of web pages that are served besides the server's own. Default: none */
  readonly origins?: readonly string[]
}

export interface Credentials {
  readonly token: string
  /** Ways to send the token. `Basic`: as the password of any user. */
  readonly schemes: readonly ("Bearer" | "Basic")[]
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

export function requestHead({
  method,
  url,
  headers,
}: Pick<IncomingMessage, "method" | "url" | "headers">): RequestHead {
  const { host, origin, authorization } = headers
  return { method, target: url, host, origin, authorization }
}

/**
 * Returns why a request is refused by the address it was sent to; undefined if it is accepted. Ask this first, so that
 * a web page whose name resolves to this machine learns nothing, not even if its token is valid.
 */
export function hostRefusal({ host, origin }: RequestHead, { port, origins = [] }: RequestHosts): Refusal | undefined {
  const hosts = hostsOf(port)
  if (host === undefined || !hosts.includes(host)) {
    return { status: 403, reason: "The Host header is not this server's." }
  }
  if (origin === undefined || origins.includes(origin) || hosts.some((each) => origin === `http://${each}`)) {
    return undefined
  }
  return { status: 403, reason: "Pages of other origins are not served." }
}

/** Returns why a request is refused by its credentials; undefined if it has the token. */
export function tokenRefusal({ authorization }: RequestHead, credentials: Credentials): Refusal | undefined {
  if (isAuthorized(authorization, credentials)) return undefined
  const { schemes } = credentials
  const isBasic = schemes.includes("Basic")
  const challenges = schemes.map((scheme) => `${scheme} realm="pawl"`)
  const reason = `Send the token of this server: Authorization: Bearer <token>${isBasic ? ", or Basic with the token as password" : ""}.`
  return { status: 401, reason, headers: { "www-authenticate": challenges.join(", ") } }
}

/** Takes the same time for every input. */
export function isAuthorized(authorization = "", { token, schemes }: Credentials): boolean {
  const [, scheme = "", given = ""] = /^(Bearer|Basic) +([\w.~+/=-]+) *$/i.exec(authorization) ?? []
  const named = schemes.find((each) => each.toLowerCase() === scheme.toLowerCase())
  const sent = named === "Basic" ? passwordOf(given) : named === "Bearer" ? given : ""
  return timingSafeEqual(digest(sent), digest(token))
}

function passwordOf(given: string): string {
  const pair = Buffer.from(given, "base64").toString()
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : ""
}

/** Clients leave out the default port. */
function hostsOf(port: number): readonly string[] {
  const names = ["127.0.0.1", "localhost"]
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
