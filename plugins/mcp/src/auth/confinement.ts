import { blockedRange, BlockedAddressError, judgedAddresses, type Resolve, resolveHost } from "@pawl/address-guard"
import { AuthError } from "./auth-error.ts"

/** Where an MCP server may send for its authorization: one out there does not have this machine asked things of its own network. */
export interface Confinement {
  readonly name: string
  readonly url: string
  /**
   * The addresses of a host that the server has named, or of itself. Rejects with AuthError where they are not for it to name,
   * else as the resolver does. Only what is given here may be connected to: the name may lead elsewhere a moment later.
   */
  addressesOf(hostname: string): Promise<readonly string[]>
}

/**
 * A server that is of this machine or of its own network may name what is there too. Once its name has had a public address it
 * is out there, whatever the name leads to later.
 */
export function createConfinement(name: string, url: string, resolve: Resolve): Confinement {
  const { hostname: own } = new URL(url)
  let isOutThere = false

  async function isWithin(): Promise<boolean> {
    if (isOutThere) return false
    const { addresses } = await resolveHost(own, resolve).catch(() => ({ addresses: [] }))
    isOutThere ||= addresses.some((address) => blockedRange(address) === undefined)
    return addresses.length > 0 && !isOutThere
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

/** Rejects with AuthError where the target is not for the server to name. What cannot be resolved cannot be reached either. */
export async function assertReachable(target: string | URL, confinement: Confinement): Promise<void> {
  await confinement.addressesOf(new URL(target).hostname).catch((error: unknown) => {
    if (error instanceof AuthError) throw error
  })
}
