import { fixedLookup } from "@pawl/address-guard"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Agent, buildConnector, fetch as fetchWith } from "undici"
import { boundedResponse } from "../transport/bounded-response.ts"
import { AuthError } from "./auth-error.ts"
import { assertReachable, type Confinement } from "./confinement.ts"

/** Maximum size of an authorization server's response in bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024

/**
 * Returns a fetch for addresses that an MCP server names for its authorization. Connects, also after redirects, only to
 * checked addresses. Rejects with AuthError. Limits the size of responses.
 */
export function confinedFetch(confinement: Confinement): FetchLike {
  const connect: buildConnector.connector = (options, callback) => {
    void confinement.addressesOf(options.hostname).then(
      (addresses) => {
        const connectTo = buildConnector({ lookup: fixedLookup(addresses), autoSelectFamily: true, allowH2: false })
        connectTo(options, callback)
      },
      // oxlint-disable-next-line promise/no-callback-in-promise -- undici's connectors answer by callback
      (error: Error) => callback(error, null),
    )
  }
  // A new connection for each request, because a kept one would skip the check of the address.
  const dispatcher = new Agent({ connect, pipelining: 0 })
  return boundedFetch(confinement, (target, init) => {
    // The types of the platform and of undici differ only by name.
    const options = { ...init, dispatcher } as unknown as Parameters<typeof fetchWith>[1]
    return fetchWith(target, options)
  })
}

/**
 * Like `confinedFetch` with another fetch. Addresses are checked before it is called, but it resolves them again
 * itself.
 */
export function boundedFetch(confinement: Confinement, fetch: FetchLike): FetchLike {
  return async (target, init) => {
    await assertReachable(target, confinement)
    try {
      return boundedResponse(await fetch(target, init), MAX_RESPONSE_BYTES)
    } catch (error) {
      throw error instanceof TypeError && error.cause instanceof AuthError ? error.cause : error
    }
  }
}
