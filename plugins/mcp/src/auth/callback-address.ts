import type { OAuthSettings } from "../config/server-config.ts"

/** Where the browser brings the answer. */
export interface CallbackAddress {
  /** Of this machine. */
  readonly host: string
  readonly path: string
  /** In the order in which they are tried; 0: any. */
  readonly ports: readonly number[]
  /** What the authorization server is told, for the port that was free. */
  redirect(port: number): string
}

const HOST = "127.0.0.1"
const PORT = 19_876
const PATH = "/mcp/oauth/callback"
const MORE_PORTS = 9

/** `isFixed`: the client was registered with one address, so that no other port will do. */
export function callbackAddress({ redirectUri, callbackPort }: OAuthSettings, isFixed: boolean): CallbackAddress {
  if (redirectUri !== undefined) {
    const { hostname, port, pathname } = new URL(redirectUri)
    const host = hostname === "[::1]" ? "::1" : HOST
    const ports = [callbackPort ?? (Number(port) || PORT)]
    // Others may bring it here under a name of their own: what counts is what was registered.
    return { host, path: pathname, ports, redirect: () => redirectUri }
  }
  const first = callbackPort ?? PORT
  const more =
    isFixed || callbackPort !== undefined ? [] : [...Array(MORE_PORTS).keys()].map((place) => first + 1 + place)
  const ports = more.length === 0 ? [first] : [first, ...more, 0]
  return { host: HOST, path: PATH, ports, redirect: (port) => `http://${HOST}:${port}${PATH}` }
}
