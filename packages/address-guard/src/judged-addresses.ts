import { blockedRange } from "./address-range.ts"
import { type Resolve, resolveHost, type ResolvedHost } from "./resolve-host.ts"

/** Returns true to allow an address that is not public. `host`: in lower case, an address without brackets. */
export type AllowPrivate = (host: string, address: string) => boolean

/** A host of which at least one address must not be reached. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError"
}

/**
 * The addresses of a URL's host, each of them judged: what is connected to afterwards has to be one of them. One that is
 * blocked refuses the whole host: a name that is public and internal at once is how a page reaches into a network. Throws
 * BlockedAddressError, or what the resolver threw.
 */
export async function judgedAddresses(
  hostname: string,
  resolve: Resolve,
  allowPrivate: AllowPrivate,
): Promise<ResolvedHost> {
  const resolved = await resolveHost(hostname, resolve)
  const { host, addresses } = resolved
  for (const address of addresses) {
    const range = blockedRange(address)
    if (range === undefined || allowPrivate(host, address)) continue
    const where = address === host ? `${host} is` : `${host} has the address ${address}, which is`
    throw new BlockedAddressError(`${where} not public (${range})`)
  }
  return resolved
}
