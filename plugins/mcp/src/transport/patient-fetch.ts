import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Agent, fetch as fetchWith } from "undici"
import { boundedResponse } from "./bounded-response.ts"
import { LONGEST } from "./message-lines.ts"

export interface PatientFetch {
  readonly fetch: FetchLike
  /** Ends connections that are kept open. */
  close(): Promise<void>
}

/** A fetch that waits for an answer as long as its signal lets it: the one of the platform gives up after five minutes. */
export function createPatientFetch(): PatientFetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } })
  const fetch = async (url: string | URL, init?: RequestInit) => {
    // The types of the platform and of the package differ in what they are named, not in what they hold.
    const given = { ...init, dispatcher } as unknown as Parameters<typeof fetchWith>[1]
    return boundedResponse(await fetchWith(url, given), LONGEST)
  }
  return { fetch, close: () => dispatcher.destroy() }
}
