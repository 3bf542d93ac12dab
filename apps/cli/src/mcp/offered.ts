import type { PluginResources } from "@pawl/core"
import { createEngine } from "@pawl/runtime/create-engine"
import { foreignLine } from "../render/foreign-lines.ts"
import { clip, columnsOf } from "../render/width.ts"
import type { OpenedMcp } from "@pawl/runtime/mcp/open-mcp"
import type { ServerPaper } from "./server-lines.ts"

/** An item that a server offers, with its name for users or models. */
interface Offered {
  readonly name: string
  readonly description: string
}

/** Everything that a connected server offers. */
export interface ServerOffer {
  readonly offeredTools: readonly Offered[]
  readonly prompts: readonly Offered[]
  readonly resources: readonly Offered[]
}

/** Uses an engine, because it determines the names of prompts and resources. */
export async function readOffered(
  { control, plugin }: OpenedMcp,
  server: string,
  signal: AbortSignal,
): Promise<ServerOffer> {
  const isThere = (await control.status()).some(({ name, status }) => name === server && status === "connected")
  if (!isThere) return { offeredTools: [], prompts: [], resources: [] }
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

const MAX_NAME_WIDTH = 40

/** Formats the offer, grouped by kind. */
export function offerLines(
  { offeredTools, prompts, resources }: ServerOffer,
  { columns, theme }: ServerPaper,
): string[] {
  const kinds = [
    ["tools", offeredTools],
    ["prompts", prompts],
    ["resources", resources],
  ] as const
  return kinds.flatMap(([kind, list]) => {
    if (list.length === 0) return []
    const width = Math.min(Math.max(...list.map(({ name }) => columnsOf(foreignLine(name)))), MAX_NAME_WIDTH)
    return ["", theme.strong(kind), ...list.flatMap((each) => offeredLines(each, width, { columns, theme }))]
  })
}

/** Never shortens a name, because users copy it. */
function offeredLines({ name, description }: Offered, width: number, { columns, theme }: ServerPaper): string[] {
  const label = foreignLine(name)
  const about = foreignLine(description)
  const room = columns - width - 4
  if (about === "") return [`  ${label}`]
  if (columnsOf(label) > width || room < 24) return [`  ${label}`, `    ${theme.faint(clip(about, columns - 4))}`]
  return [`  ${label}${" ".repeat(width - columnsOf(label) + 2)}${theme.faint(clip(about, room))}`]
}
