import { lookup } from "node:dns/promises"
import { connect, isIP, type LookupFunction, type Socket } from "node:net"

/** How a page is reached: the only two ways to the outside. */
export interface Network {
  /** All addresses of a host name. Rejects when there are none. */
  resolve(host: string): Promise<readonly string[]>
  /** Opens one connection, to one of the addresses and to nothing else. */
  connect(target: SocketTarget): Socket
}

export interface SocketTarget {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Judged already, at least one. */
  readonly addresses: readonly string[]
}

/** The machine's resolver and TCP, whatever the environment says of proxies. */
export const systemNetwork: Network = {
  async resolve(host) {
    const found = await lookup(host, { all: true, order: "verbatim" })
    return found.map(({ address }) => address)
  },
  connect({ host, port, addresses: [first = "", ...others] }) {
    // Asking the resolver once more could give an address that nobody judged.
    if (others.length === 0 || isIP(host) !== 0) return connect({ host: first, port })
    return connect({ host, port, lookup: fixedLookup([first, ...others]), autoSelectFamily: true })
  },
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all: isAll }, callback) => {
    if (isAll) callback(null, all)
    else callback(null, all[0]?.address ?? "", all[0]?.family)
  }
}
