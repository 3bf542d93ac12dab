import type { McpControl, ServerReport } from "./control.ts"
import type { HostedServer } from "../server/hosted-server.ts"
import { readOffer } from "./offer.ts"
import type { ServerSet } from "./server-set.ts"

export interface ControlDeps {
  readonly servers: ServerSet
  readonly reserved: readonly string[]
  readonly onChanged: () => void
  readonly close: () => Promise<void>
}

export function createControl({ servers, reserved, onChanged, close }: ControlDeps): McpControl {
  return {
    status: () => Promise.all(servers.all().map(readReport)),
    async connect(name, signal) {
      await servers.find(name).connect(signal)
    },
    async disconnect(name) {
      await servers.find(name).server.disconnect()
    },
    async tools(name, signal) {
      const server = servers.find(name)
      if (!(await server.listing())) await server.connect(signal)
      return (await readOffer(servers.all(), reserved)).byServer.get(name) ?? []
    },
    async call(name, tool, args, context) {
      return servers.find(name).callTool(tool, args, { signal: new AbortController().signal, ...context })
    },
    async debug(name) {
      const server = servers.find(name)
      const { serverName, handshake } = server.server.opened?.connection ?? {}
      const status = await readReport(server)
      return {
        status,
        log: server.log.tail(),
        logPath: server.log.path,
        ...(serverName ? { serverName } : {}),
        ...(handshake ? { handshake } : {}),
      }
    },
    async allow(name, signal) {
      return servers.find(name).allow(signal)
    },
    async update(entries) {
      const gone = servers.configure(entries)
      onChanged()
      await Promise.all(gone.map((server) => server.close()))
      return servers.problems()
    },
    problems: () => servers.problems(),
    close,
  }
}

export async function readReport(server: HostedServer): Promise<ServerReport> {
  const [status, { allowed, waiting }] = await Promise.all([server.status(), server.tools()])
  const { pid, transport } = server.server.opened ?? {}
  return {
    ...status,
    ...{ name: server.name, type: server.config.type, tools: allowed.length, waiting },
    ...(pid === undefined ? {} : { pid }),
    ...(transport === undefined ? {} : { transport }),
  }
}
