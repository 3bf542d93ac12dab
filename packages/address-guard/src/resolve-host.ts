import { lookup } from "node:dns/promises"
import { isIP } from "node:net"

/** Resolves all addresses of a host name. Rejects if it has no address. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The machine's resolver. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: "verbatim" })
  return found.map(({ address }) => address)
}

/** A host and its addresses. `host`: a name or an address, in lower case, without brackets or a final dot. */
export interface ResolvedHost {
  readonly host: string
  /** At least one. */
  readonly addresses: readonly string[]
}

/** Resolves a URL's `hostname`, once. Rejects as `resolve` does, and where it finds nothing. */
export async function resolveHost(hostname: string, resolve: Resolve): Promise<ResolvedHost> {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, "")
  const addresses = isIP(host) === 0 ? await addressesOf(host, resolve) : [host]
  if (addresses.length === 0) throw new Error(`the name ${host} has no address`)
  return { host, addresses }
}

/** `localhost` and the names below it mean this machine, whatever a resolver says of them. */
async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  return /(^|\.)localhost$/.test(host) ? ["127.0.0.1", "::1"] : resolve(host)
}
