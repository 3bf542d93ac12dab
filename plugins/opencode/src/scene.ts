import { createIDSource, type IDSource } from "@pawl/core"
import type { Guardian } from "@pawl/process-guard"
import { createServerApp, createServerEvents, type ServerEvents, type ServerHost } from "@pawl/server"
import { createClient, type OpenCodeClient } from "./client/create-client.ts"
import { createModels, type Models } from "./shapes/models.ts"

/** What all plugins of an engine share. */
export interface Scene {
  readonly host: ServerHost
  readonly events: ServerEvents
  /** For one plugin, as long as the signal does not abort. */
  readonly clientUntil: (signal: AbortSignal) => OpenCodeClient
  readonly models: Models
  readonly ids: IDSource
  readonly serverURL: URL
  /** Ends what plugins start if this process dies. */
  readonly guardian: Guardian
}

/** The address that OpenCode's server has unless it is told another. */
const NOWHERE = "http://localhost:4096"

export function createScene(host: ServerHost, guardian: Guardian, serverURL = new URL(NOWHERE)): Scene {
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
