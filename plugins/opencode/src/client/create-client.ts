import { createOpencodeClient } from "@opencode-ai/sdk"
import type { OpenCodeEvent, ServerEvents } from "@pawl/server"
import { eventsFrom } from "./events-from.ts"

export type OpenCodeClient = ReturnType<typeof createOpencodeClient>

export interface ClientOptions {
  readonly fetch: (request: Request) => Promise<Response>
  readonly events: Pick<ServerEvents, "subscribe">
  readonly directory: string
  readonly serverURL: URL
  /** Aborts with the one who has the client: what it still reads of events ends then. */
  readonly signal: AbortSignal
}

interface Subscription {
  readonly signal?: AbortSignal
}

/** OpenCode's own client, whose requests are answered within this process. */
export function createClient({ fetch, events, directory, serverURL, signal: ended }: ClientOptions): OpenCodeClient {
  const client = createOpencodeClient({ baseUrl: serverURL.href.replace(/\/$/, ""), directory, fetch })
  const streaming = <T>(envelope: (event: OpenCodeEvent) => T) => {
    return async ({ signal }: Subscription = {}) => ({
      stream: eventsFrom(events, envelope, signal ? [ended, signal] : [ended]),
    })
  }
  // It asks for events by the global `fetch`, which would need a server that listens.
  Object.assign(client.event, { subscribe: streaming((event) => event) })
  Object.assign(client.global, { event: streaming((payload) => ({ directory, payload })) })
  return client
}
