import { connect, isIP, type Socket } from "node:net"
import { fixedLookup, type Resolve, systemResolve } from "@pawl/address-guard"

/** How a page is reached: the only two ways to the outside. */
export interface Network {
  readonly resolve: Resolve
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
  resolve: systemResolve,
  connect({ host, port, addresses: [first = "", ...others] }) {
    if (others.length === 0 || isIP(host) !== 0) return connect({ host: first, port })
    return connect({ host, port, lookup: fixedLookup([first, ...others]), autoSelectFamily: true })
  },
}
