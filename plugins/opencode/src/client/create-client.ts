import { createOpencodeClient } from "@opencode-ai/sdk"
import type { OpenCodeEvent, ServerEvents } from "@pawl/server"
import { eventsFrom } from "./events-from.ts"

export type OpenCodeClient = ReturnType<typeof createOpencodeClient>

export interface ClientOptions {
  readonly fetch: (request: Request) => Promise<Response>
  readonly events: Pick<ServerEvents, "subscribe">
  readonly directory: string
  readonly serverURL: URL
  /** Aborts when the client's owner ends. Event streams end then. */
  readonly signal: AbortSignal
}

interface Subscription {
  readonly signal?: AbortSignal
}

/** Returns OpenCode's own client. Its requests are answered within this process. */
export function createClient({
  fetch,
  events,
  directory,
  serverURL,
  signal: ownerSignal,
}: ClientOptions): OpenCodeClient {
  const client = createOpencodeClient({ baseUrl: serverURL.href.replace(/\/$/, ""), directory, fetch })
  const streaming = <T>(envelope: (event: OpenCodeEvent) => T) => {
    return async ({ signal }: Subscription = {}) => ({
      stream: eventsFrom(events, envelope, signal ? [ownerSignal, signal] : [ownerSignal]),
    })
  }
  // The client uses the global `fetch` for events, which would need a listening server.
  Object.assign(client.event, { subscribe: streaming((event) => event) })
  Object.assign(client.global, { event: streaming((payload) => ({ directory, payload })) })
  return client
}
