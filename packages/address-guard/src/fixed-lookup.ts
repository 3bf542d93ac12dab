import { isIP, type LookupFunction } from "node:net"

/**
 * A lookup for sockets that returns these addresses for any name. A second query to the resolver could return an address
 * that was not checked. Sockets do not look up a host that is an address.
 */
export function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all: isAll }, callback) => {
    if (isAll) callback(null, all)
    else callback(null, all[0]?.address ?? "", all[0]?.family)
  }
}
