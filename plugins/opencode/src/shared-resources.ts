import { createIDSource, type IDSource } from "@pawl/core"
import type { Guardian } from "@pawl/process-guard"
import { createServerApp, createServerEvents, type ServerEvents, type ServerHost } from "@pawl/server"
import { createClient, type OpenCodeClient } from "./client/create-client.ts"
import { createModels, type Models } from "./shapes/models.ts"

/** Resources that all OpenCode plugins of an engine share. */
export interface SharedResources {
  readonly host: ServerHost
  readonly events: ServerEvents
  /** Creates a client for one plugin. It ends when the signal aborts. */
  readonly clientUntil: (signal: AbortSignal) => OpenCodeClient
  readonly models: Models
  readonly ids: IDSource
  readonly serverURL: URL
  /** Ends processes that plugins start if this process dies. */
  readonly guardian: Guardian
}

/** The default address of OpenCode's server. */
const OPENCODE_ADDRESS = "http://localhost:4096"

export function createSharedResources(
  host: ServerHost,
  guardian: Guardian,
  serverURL = new URL(OPENCODE_ADDRESS),
): SharedResources {
  const events = createServerEvents(host.engine, host)
  const app = createServerApp(host, events)
  const { directory } = host
  return {
    ...{ host, events, serverURL, guardian },
    clientUntil: (signal) =>
      createClient({ fetch: async (request) => app.fetch(request), events, directory, serverURL, signal }),
    models: createModels(() => host.providers()),
    ids: createIDSource(Date.now),
  }
}
