import { hostRefusal, type Refusal, type RequestHead, tokenRefusal } from "@pawl/loopback-http"

/** The only path that is served. */
export const PATH = "/mcp"

const METHODS = ["GET", "POST", "DELETE"]

/**
 * Returns why a request is refused; undefined if it is accepted. Pages of other origins are always refused, and no
 * response has a header that lets them read it.
 */
export function refusalOf(
  head: RequestHead,
  { port, token }: { readonly port: number; readonly token: string },
): Refusal | undefined {
  const { method = "", target = "" } = head
  const refusal = hostRefusal(head, { port })
  if (refusal) return refusal
  if (target !== PATH && !target.startsWith(`${PATH}?`)) return { status: 404, reason: `Only ${PATH} is served.` }
  const unauthorized = tokenRefusal(head, { token, schemes: ["Bearer"] })
  if (unauthorized) return unauthorized
  if (METHODS.includes(method)) return undefined
  return { status: 405, reason: `${METHODS.join(", ")} are served.`, headers: { allow: METHODS.join(", ") } }
}
