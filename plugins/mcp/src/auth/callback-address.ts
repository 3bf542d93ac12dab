import type { OAuthSettings } from "../config/server-config.ts"

/** Where the browser brings the answer. */
export interface CallbackAddress {
  /** Of this machine. */
  readonly host: string
  readonly path: string
  /** In the order in which they are tried; 0: any. */
  readonly ports: readonly number[]
  /** What the authorization server is told, for the port that was free. */
  readonly redirect: (port: number) => string
}

const HOST = "127.0.0.1"
const PORT = 19_876
const PATH = "/mcp/oauth/callback"
const MORE_PORTS = 9

export interface AddressHints {
  /** The client was registered by people with one address: no other port will do. */
  readonly isFixed: boolean
  /** Addresses that an earlier registration knows. */
  readonly earlier?: readonly string[] | undefined
}

/** A `callbackPort` of 0 is any. */
export function callbackAddress(settings: OAuthSettings, { isFixed, earlier = [] }: AddressHints): CallbackAddress {
  const { redirectUri, callbackPort } = settings
  if (redirectUri !== undefined) {
    const { hostname, port, pathname } = new URL(redirectUri)
    const host = hostname === "[::1]" ? "::1" : HOST
    const ports = [callbackPort ?? (Number(port) || PORT)]
    // Others may bring it here under a name of their own: what counts is what was registered.
    return { host, path: pathname, ports, redirect: () => redirectUri }
  }
  const redirect = (port: number) => `http://${HOST}:${port}${PATH}`
  return { host: HOST, path: PATH, ports: portsToTry(callbackPort, isFixed, earlier), redirect }
}

function portsToTry(configured: number | undefined, isFixed: boolean, earlier: readonly string[]): readonly number[] {
  if (configured !== undefined && configured !== 0) return [configured]
  if (isFixed) return [configured ?? PORT]
  const known = earlier.map((redirect) => Number(new URL(redirect).port)).filter((port) => port !== 0)
  const next = configured === 0 ? [] : [...Array(1 + MORE_PORTS).keys()].map((place) => PORT + place)
  return [...new Set([...known, ...next, 0])]
}
