import { connect, isIP, type Socket } from "node:net"
import { fixedLookup, type Resolve, systemResolve } from "@pawl/address-guard"

/** All access to the network. */
export interface Network {
  readonly resolve: Resolve
  /** Opens one connection to one of the addresses. */
  connect(target: SocketTarget): Socket
}

export interface SocketTarget {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Allowed addresses, at least one. */
  readonly addresses: readonly string[]
}

/** Uses the machine's resolver and TCP. Ignores proxy settings of the environment. */
export const systemNetwork: Network = {
  resolve: systemResolve,
  connect({ host, port, addresses: [first = "", ...others] }) {
    if (others.length === 0 || isIP(host) !== 0) return connect({ host: first, port })
    return connect({ host, port, lookup: fixedLookup([first, ...others]), autoSelectFamily: true })
  },
}
