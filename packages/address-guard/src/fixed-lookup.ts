import { isIP, type LookupFunction } from "node:net"

/**
 * A lookup for sockets that finds these addresses, whatever the name: asking the resolver once more could give one that
 * nobody judged. Sockets ask no lookup for a host that is an address.
 */
export function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all: isAll }, callback) => {
    if (isAll) callback(null, all)
    else callback(null, all[0]?.address ?? "", all[0]?.family)
  }
}
