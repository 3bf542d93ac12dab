import { readServer } from "../config/read-servers.ts"
import type { ServerConfig } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"
import { createHostedServer, type HostedServerDeps } from "./create-hosted-server.ts"
import type { HostedServer } from "../server/hosted-server.ts"
import type { ServerEntries, ServerEntry } from "./options.ts"

/** The configured servers. */
export interface ServerSet {
  /** In the order of the configuration. */
  all(): readonly HostedServer[]
  /** Rejects with McpServerError if the name is unknown. */
  find(name: string): HostedServer
  /** Problems of the configuration, a sentence each. */
  problems(): readonly string[]
  /** Replaces the servers and keeps unchanged ones. Returns those that were removed. */
  configure(entries: ServerEntries): readonly HostedServer[]
  /** Ends all servers. `open` makes them usable again. */
  close(): Promise<void>
  /** Does nothing if the set is open. */
  open(): void
  /** Connects servers that were never listed, and waits for them up to `waitMs` milliseconds. */
  settle(waitMs: number, signal?: AbortSignal): Promise<void>
}

export function createServerSet(deps: HostedServerDeps): ServerSet {
  let servers: readonly HostedServer[] = []
  let problems: readonly string[] = []
  let configured: ServerEntries = {}
  let isClosed = false

  function create(name: string, entry: ServerEntry, config: ServerConfig): HostedServer {
    return createHostedServer(deps, name, entry, config)
  }

  return {
    all: () => servers,
    problems: () => problems,
    find(name) {
      const found = servers.find((server) => server.name === name)
      if (found) return found
      const known = servers.map((server) => server.name).join(", ") || "none"
      throw new McpServerError("unknown-server", name, `There is no MCP server "${name}". Known: ${known}.`)
    },
    configure(entries) {
      configured = entries
      const before = servers
      const read = Object.entries(entries).map(([name, entry]) => ({ name, entry, ...readServer(name, entry.config) }))
      problems = read.flatMap((server) => server.problems.map(({ message }) => message))
      servers = read.flatMap(({ name, entry, config }) => {
        if (!config) return []
        const created = create(name, entry, config)
        const same = before.find((server) => server.name === name && server.identity === created.identity)
        if (!same) return [created]
        void created.close()
        return [same]
      })
      return before.filter((server) => !servers.includes(server))
    },
    async close() {
      isClosed = true
      await Promise.all(servers.map((server) => server.close()))
    },
    open() {
      if (!isClosed) return
      isClosed = false
      servers = servers.map(({ name, config }) => create(name, configured[name] as ServerEntry, config))
    },
    async settle(waitMs, signal) {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, waitMs)
      const stop = () => resolve()
      signal?.addEventListener("abort", stop, { once: true })
      try {
        await Promise.race([Promise.all(servers.map((server) => connectIfUnlisted(server, waitMs))), late])
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener("abort", stop)
      }
    },
  }
}

/** The server's status keeps the reason of a failure. */
async function connectIfUnlisted(server: HostedServer, waitMs: number): Promise<void> {
  if (!server.config.enabled || (await server.listing()) || !server.server.isDue(waitMs)) return
  await server.connect().catch(() => undefined)
}
