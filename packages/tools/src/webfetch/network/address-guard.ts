import { isIP } from "node:net"
import { blockedRange } from "./address-range.ts"
import type { Network } from "./network.ts"

/** Whether an address that is not public may be reached all the same. `host`: in lower case, an address without brackets. */
export type AllowPrivate = (host: string, address: string) => boolean

/** A host of which at least one address must not be reached. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError"
}

/**
 * The addresses of a URL's host, each of them judged. One that is blocked refuses the whole host: a name that is public
 * and internal at once is how a page reaches into a network. Throws BlockedAddressError, or what the resolver threw.
 */
export async function judgedAddresses(
  hostname: string,
  { resolve }: Pick<Network, "resolve">,
  allowPrivate: AllowPrivate,
): Promise<{ readonly host: string; readonly addresses: readonly string[] }> {
  const host = hostname.replace(/^\[|\]$/g, "")
  const addresses = isIP(host) === 0 ? await hostAddresses(host, resolve) : [host]
  if (addresses.length === 0) throw new Error(`the name ${host} has no address`)
  for (const address of addresses) {
    const range = blockedRange(address)
    if (range === undefined || allowPrivate(host, address)) continue
    const where = address === host ? `${host} is` : `${host} has the address ${address}, which is`
    throw new BlockedAddressError(`${where} not public (${range})`)
  }
  return { host, addresses }
}

/** `localhost` and the names below it mean this machine, whatever a resolver says of them. */
async function hostAddresses(host: string, resolve: Network["resolve"]): Promise<readonly string[]> {
  return /(^|\.)localhost$/.test(host) ? ["127.0.0.1", "::1"] : resolve(host)
}
