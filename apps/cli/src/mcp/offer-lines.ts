import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { clip, columnsOf } from "@pawl/terminal-text/width"
import type { Offered, ServerOffer } from "@pawl/runtime/mcp/server-offer"
import type { ServerLayout } from "./server-lines.ts"

const MAX_NAME_COLUMNS = 40

/** Renders the tools, prompts and resources of a server. */
export function offerLines(
  { offeredTools, prompts, resources }: ServerOffer,
  { columns, theme }: ServerLayout,
): string[] {
  const kinds = [
    ["tools", offeredTools],
    ["prompts", prompts],
    ["resources", resources],
  ] as const
  return kinds.flatMap(([kind, list]) => {
    if (list.length === 0) return []
    const width = Math.min(Math.max(...list.map(({ name }) => columnsOf(foreignLine(name)))), MAX_NAME_COLUMNS)
    return ["", theme.strong(kind), ...list.flatMap((each) => offeredLines(each, width, { columns, theme }))]
  })
}

/** Never cuts a name, because users copy it. */
function offeredLines({ name, description }: Offered, width: number, { columns, theme }: ServerLayout): string[] {
  const label = foreignLine(name)
  const about = foreignLine(description)
  const room = columns - width - 4
  if (about === "") return [`  ${label}`]
  if (columnsOf(label) > width || room < 24) return [`  ${label}`, `    ${theme.faint(clip(about, columns - 4))}`]
  return [`  ${label}${" ".repeat(width - columnsOf(label) + 2)}${theme.faint(clip(about, room))}`]
}
