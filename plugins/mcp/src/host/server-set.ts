import { readServer } from "../config/read-servers.ts"
import { McpServerError } from "../errors.ts"
import { createHostedServer, type HostedServer, type HostedServerDeps } from "./hosted-server.ts"
import type { ServerEntries } from "./options.ts"

/** The configured servers. */
export interface ServerSet {
  /** In the order of the configuration. */
  all(): readonly HostedServer[]
  /** Rejects names that are not known with McpServerError. */
  find(name: string): HostedServer
  /** What is wrong with the configuration, a sentence each. */
  problems(): readonly string[]
  /** Puts others in their place; those that stay the same are kept. Gives those that are no longer there. */
  configure(entries: ServerEntries): readonly HostedServer[]
  /** Connects those of which nothing is known, and waits so long for them, in milliseconds. */
  settle(patience: number, signal?: AbortSignal): Promise<void>
}

export function createServerSet(deps: Omit<HostedServerDeps, "number">): ServerSet {
  let servers: readonly HostedServer[] = []
  let problems: readonly string[] = []
  let count = 0
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
      const before = servers
      const read = Object.entries(entries).map(([name, entry]) => ({ name, entry, ...readServer(name, entry.config) }))
      problems = read.flatMap((server) => server.problems.map(({ message }) => message))
      servers = read.flatMap(({ name, entry, config }) => {
        if (!config) return []
        const created = createHostedServer({ ...deps, number: ++count }, name, entry, config)
        const same = before.find((server) => server.name === name && server.identity === created.identity)
        if (!same) return [created]
        void created.close()
        return [same]
      })
      return before.filter((server) => !servers.includes(server))
    },
    async settle(patience, signal) {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, patience)
      const stop = () => resolve()
      signal?.addEventListener("abort", stop, { once: true })
      try {
        await Promise.race([Promise.all(servers.map(meet)), late])
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener("abort", stop)
      }
    },
  }
}

/** Why it failed stands in its status. */
async function meet(server: HostedServer): Promise<void> {
  if (!server.config.enabled || (await server.listing()) || !server.server.isDue()) return
  await server.connect().catch(() => undefined)
}
