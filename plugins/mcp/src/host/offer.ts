import type { Tool } from "@pawl/core/tool"
import { resourceToolNames, resourceTools } from "../resources/resource-tools.ts"
import { offeredTool, type ToolSource } from "../tools/offered-tool.ts"
import { toolNames } from "../tools/tool-names.ts"
import type { ListedTool } from "../listing/listing.ts"
import type { HostedServer } from "../server/hosted-server.ts"
import { builtinNames } from "./reserved-names.ts"

export interface Offer {
  readonly tools: Readonly<Record<string, Tool>>
  /** Names of tools that need approval, by server. */
  readonly waiting: ReadonlyMap<string, readonly string[]>
  /** Names for models with the tools, by server. */
  readonly byServer: ReadonlyMap<string, readonly { readonly name: string; readonly tool: ListedTool }[]>
}

/** Builds the tools for models from what the servers have listed. */
export async function readOffer(servers: readonly HostedServer[], reserved: readonly string[] = []): Promise<Offer> {
  const judged = await Promise.all(
    servers.map(async (server) => ({ server, ...(await server.tools()), listing: await server.listing() })),
  )
  const all = judged.flatMap(({ server, allowed }) =>
    // Sorted, because some servers change the order each time.
    allowed
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((tool) => ({ server: server.name, tool: tool.name, listed: tool, host: server })),
  )
  const names = toolNames(all, new Set([...builtinNames, ...resourceToolNames, ...reserved]))
  const tools: Record<string, Tool> = {}
  const byServer = new Map<string, { name: string; tool: ListedTool }[]>(servers.map(({ name }) => [name, []]))
  for (const [name, { listed, host }] of names) {
    const hasDeadline = host.config.timeouts.call !== undefined
    const call: ToolSource["call"] = (tool, args, context) => host.callTool(tool, args, context)
    tools[name] = offeredTool(name, listed, { server: host.name, hasDeadline, call })
    byServer.get(host.name)?.push({ name, tool: listed })
  }
  const withResources = judged.filter(({ listing }) => listing?.hasResources).map(({ server }) => server)
  if (withResources.length > 0) for (const tool of resourceTools(withResources)) tools[tool.name] = tool
  return { tools, byServer, waiting: new Map(judged.map(({ server, waiting }) => [server.name, waiting])) }
}
