import { createHash, timingSafeEqual } from "node:crypto"

/** The only path that is served. */
export const PATH = "/mcp"

/** The parts of a request that decide about it, before its body is read. */
export interface RequestHead {
  readonly method: string | undefined
  /** The request target as it was sent. */
  readonly target: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
}

export interface RequestGuard {
  readonly port: number
  readonly token: string
}

export interface Refusal {
  readonly status: 401 | 403 | 404 | 405
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

const METHODS = ["GET", "POST", "DELETE"]

/**
 * Returns why a request is refused; undefined if it is accepted. Checks the host first, so that a web page whose name
 * resolves to this machine learns nothing, not even if its token is valid. Pages of other origins are always refused,
 * and no response has a header that lets them read it.
 */
export function refusalOf(
  { method = "", target = "", host, origin, authorization }: RequestHead,
  gate: RequestGuard,
): Refusal | undefined {
  const hosts = hostsOf(gate.port)
  if (host === undefined || !hosts.includes(host))
    return { status: 403, reason: "The Host header is not this server's." }
  if (origin !== undefined && !hosts.some((each) => origin === `http://${each}`)) {
    return { status: 403, reason: "Pages of other origins are not served." }
  }
  if (target !== PATH && !target.startsWith(`${PATH}?`)) return { status: 404, reason: `Only ${PATH} is served.` }
  if (!isAuthorized(authorization, gate.token)) {
    const headers = { "www-authenticate": 'Bearer realm="pawl"' }
    return { status: 401, reason: "Send the token of this server: Authorization: Bearer <token>.", headers }
  }
  if (METHODS.includes(method)) return undefined
  return { status: 405, reason: `${METHODS.join(", ")} are served.`, headers: { allow: METHODS.join(", ") } }
}

/** Clients leave out the default port. */
function hostsOf(port: number): readonly string[] {
  const names = ["127.0.0.1", "localhost"]
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

/** Takes the same time for every input. */
function isAuthorized(authorization: string | undefined, token: string): boolean {
  const [, given = ""] = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? "") ?? []
  return timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}
