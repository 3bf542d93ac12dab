import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { boundedResponse } from "../transport/bounded-response.ts"
import { AuthError } from "./auth-error.ts"
import { isPrivateHost, type Resolve } from "./private-host.ts"

/** The MCP server whose word the addresses are. */
export interface Confinement {
  readonly name: string
  readonly url: string
  readonly resolve: Resolve
}

/** Bytes of an answer of an authorization server. */
const MOST = 1024 * 1024

/**
 * The same fetch for what an MCP server says of its authorization: a server out there does not have this machine asked
 * things of its own network. It rejects with AuthError. Answers are of some length at most.
 */
export function confinedFetch(fetch: FetchLike, by: Confinement): FetchLike {
  return async (target, init) => {
    await assertReachable(target, by)
    return boundedResponse(await fetch(target, init), MOST)
  }
}

export async function assertReachable(target: string | URL, { name, url, resolve }: Confinement): Promise<void> {
  const { hostname } = new URL(target)
  const own = new URL(url).hostname
  if (hostname === own || !(await isPrivateHost(hostname, resolve)) || (await isPrivateHost(own, resolve))) return
  const text = `The MCP server "${name}" sends to ${hostname} for its authorization, which is not public, as the server is. Ask who runs it.`
  throw new AuthError("unsafe", name, text)
}
