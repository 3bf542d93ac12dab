import { fixedLookup } from "@pawl/address-guard"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Agent, buildConnector, fetch as fetchWith } from "undici"
import { boundedResponse } from "../transport/bounded-response.ts"
import { AuthError } from "./auth-error.ts"
import { assertReachable, type Confinement } from "./confinement.ts"

/** Bytes of an answer of an authorization server. */
const MOST = 1024 * 1024

/**
 * A fetch for what an MCP server says of its authorization. Each connection, those of redirects included, is made to an address
 * that was judged, and to nothing else. It rejects with AuthError. Answers are of some length at most.
 */
export function confinedFetch(confinement: Confinement): FetchLike {
  const connect: buildConnector.connector = (options, callback) => {
    void confinement.addressesOf(options.hostname).then(
      (addresses) => {
        const connectTo = buildConnector({ lookup: fixedLookup(addresses), autoSelectFamily: true, allowH2: false })
        connectTo(options, callback)
      },
      // oxlint-disable-next-line promise/no-callback-in-promise -- it is how a connector answers
      (error: Error) => callback(error, null),
    )
  }
  // A connection for each request: one that is kept would be used for a name that leads elsewhere by then.
  const dispatcher = new Agent({ connect, pipelining: 0 })
  return boundedFetch(confinement, (target, init) => {
    // The types of the platform and of the package differ in what they are named, not in what they hold.
    const given = { ...init, dispatcher } as unknown as Parameters<typeof fetchWith>[1]
    return fetchWith(target, given)
  })
}

/** The same with somebody else's fetch: addresses are judged before it is called, and it finds them once more itself. */
export function boundedFetch(confinement: Confinement, fetch: FetchLike): FetchLike {
  return async (target, init) => {
    await assertReachable(target, confinement)
    try {
      return boundedResponse(await fetch(target, init), MOST)
    } catch (error) {
      throw error instanceof TypeError && error.cause instanceof AuthError ? error.cause : error
    }
  }
}
