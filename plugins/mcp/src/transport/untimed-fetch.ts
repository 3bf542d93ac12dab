import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Agent, fetch as fetchWith } from "undici"
import { boundedResponse } from "./bounded-response.ts"
import { MAX_MESSAGE_LENGTH } from "./message-lines.ts"

export interface UntimedFetch {
  readonly fetch: FetchLike
  /** Closes open connections. */
  close(): Promise<void>
}

/** Creates a fetch without a time limit of its own. The platform's fetch stops after five minutes. */
export function createUntimedFetch(): UntimedFetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } })
  const fetch = async (url: string | URL, init?: RequestInit) => {
    // The types of the platform and of undici differ only by name.
    const options = { ...init, dispatcher } as unknown as Parameters<typeof fetchWith>[1]
    return boundedResponse(await fetchWith(url, options), MAX_MESSAGE_LENGTH)
  }
  return { fetch, close: () => dispatcher.destroy() }
}
