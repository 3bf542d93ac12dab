import type { PluginResources } from "@pawl/core/plugin"
import { createEngine } from "../create-engine.ts"
import type { OpenedMcp } from "./open-mcp.ts"

/** A tool, prompt or resource of a server, by the name that users or models write. */
export interface Offered {
  readonly name: string
  readonly description: string
}

export interface ServerOffer {
  readonly offeredTools: readonly Offered[]
  readonly prompts: readonly Offered[]
  readonly resources: readonly Offered[]
}

/** Returns what a connected server offers, as an engine names it. Empty if the server is not connected. */
export async function readServerOffer(
  { control, plugin }: OpenedMcp,
  server: string,
  signal: AbortSignal,
): Promise<ServerOffer> {
  const isConnected = (await control.status()).some(({ name, status }) => name === server && status === "connected")
  if (!isConnected) return { offeredTools: [], prompts: [], resources: [] }
  const { memoryStorage } = await import("@pawl/storage-memory")
  await using engine = await createEngine({ storage: memoryStorage(), providers: [], plugins: [{ id: "mcp", plugin }] })
  const [tools, commands, resources] = await Promise.all([
    control.tools(server, signal),
    engine.plugins.commands(),
    Promise.all(engine.plugins.contributions("resource").map(({ value }) => (value as PluginResources).list(signal))),
  ])
  const isIts = (name: string) => name.startsWith(`${server}:`)
  return {
    offeredTools: tools.map(({ name, tool }) => ({ name, description: tool.description ?? "" })),
    prompts: commands
      .filter(({ name }) => isIts(name))
      .map(({ name, description = "", hints = [] }) => ({
        name: [`/${name}`, ...hints.map((hint) => `<${hint}>`)].join(" "),
        description,
      })),
    resources: resources
      .flat()
      .filter(({ uri }) => isIts(uri))
      .map(({ uri, name, description }) => ({ name: `@${uri}`, description: description ?? name })),
  }
}
