import type { OAuthSettings } from "../config/server-config.ts"

/** The address to which the browser returns the answer. */
export interface CallbackAddress {
  /** An address of this machine. */
  readonly host: string
  readonly path: string
  /** Tried in this order. 0: any free port. */
  readonly ports: readonly number[]
  /** Returns the redirect address for the port that is used. */
  readonly redirect: (port: number) => string
}

const HOST = "127.0.0.1"
const PORT = 19_876
const PATH = "/mcp/oauth/callback"
const MORE_PORTS = 9

export interface AddressHints {
  /** Set if the user registered the client with a single address, so no other port works. */
  readonly isFixed: boolean
  /** Redirect addresses of an earlier registration. */
  readonly earlier?: readonly string[] | undefined
}

/** A `callbackPort` of 0 allows any port. */
export function callbackAddress(settings: OAuthSettings, { isFixed, earlier = [] }: AddressHints): CallbackAddress {
  const { redirectUri, callbackPort } = settings
  if (redirectUri !== undefined) {
    const { hostname, port, pathname } = new URL(redirectUri)
    const host = hostname === "[::1]" ? "::1" : HOST
    const ports = [callbackPort ?? (Number(port) || PORT)]
    // A proxy may forward the answer from another name, but the registered address counts.
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
