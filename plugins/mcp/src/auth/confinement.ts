import { blockedRange, BlockedAddressError, judgedAddresses, type Resolve, resolveHost } from "@pawl/address-guard"
import { AuthError } from "./auth-error.ts"

/**
 * Limits which hosts an MCP server may name for its authorization. A public server must not make this machine send
 * requests to its internal network.
 */
export interface Confinement {
  readonly name: string
  readonly url: string
  /**
   * Returns the addresses of a host that the server has named, or of the server itself. Rejects with AuthError if the
   * server may not name the host, otherwise as the resolver does. Connect only to these addresses, because a later
   * lookup may differ.
   */
  addressesOf(hostname: string): Promise<readonly string[]>
}

/**
 * A server on this machine or in its network may also name internal hosts. A server whose name ever had a public
 * address counts as public from then on.
 */
export function createConfinement(name: string, url: string, resolve: Resolve): Confinement {
  const { hostname: own } = new URL(url)
  let isPublic = false

  async function isWithin(): Promise<boolean> {
    if (isPublic) return false
    const { addresses } = await resolveHost(own, resolve).catch(() => ({ addresses: [] }))
    isPublic ||= addresses.some((address) => blockedRange(address) === undefined)
    return addresses.length > 0 && !isPublic
  }

  return {
    name,
    url,
    async addressesOf(hostname) {
      const mayBePrivate = await isWithin()
      try {
        return (await judgedAddresses(hostname, resolve, () => mayBePrivate)).addresses
      } catch (error) {
        if (!(error instanceof BlockedAddressError)) throw error
        const text = `The MCP server "${name}" sends to ${hostname} for its authorization, which is not public, as the server is. Ask who runs it.`
        throw new AuthError("unsafe", name, text)
      }
    },
  }
}

/** Rejects with AuthError if the server may not name the target. A host that cannot be resolved is harmless. */
export async function assertReachable(target: string | URL, confinement: Confinement): Promise<void> {
  await confinement.addressesOf(new URL(target).hostname).catch((error: unknown) => {
    if (error instanceof AuthError) throw error
  })
}
