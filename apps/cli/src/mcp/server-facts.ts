import type { ListedTool } from "@pawl/plugin-mcp"
import { barredLines, foreignLine } from "@pawl/terminal-text/foreign-lines"
import { plural } from "@pawl/terminal-text/quantity"
import type { ConfiguredServer } from "@pawl/runtime/mcp/configured-servers"
import { sourceOf, targetOf } from "./listed-server.ts"
import type { ServerLayout } from "./server-lines.ts"

interface Written {
  readonly url?: string
  readonly cwd?: string
  readonly environment?: object
  readonly headers?: object
}

/** Shows what a server starts or connects to, as written. The user must see all of it before allowing it. */
export function serverFacts(server: ConfiguredServer, directory: string, { columns, theme }: ServerLayout): string[] {
  const { url, cwd, environment = {}, headers = {} } = (server.entry.written ?? server.entry.config) as Written
  const facts = [
    [url === undefined ? "starts" : "sends to", targetOf(server)],
    ["in", cwd ?? ""],
    ["with the variables", Object.keys(environment).join(", ")],
    ["with the headers", Object.keys(headers).join(", ")],
    ["written in", sourceOf(server, directory)],
  ] as const
  return [
    `The MCP server ${theme.strong(foreignLine(server.name))}`,
    ...facts.flatMap(([what, value]) =>
      value === "" ? [] : [`  ${theme.faint(what)}`, ...barredLines(value, columns, "  ")],
    ),
  ]
}

/**
 * Shows each tool with everything that models read about it. `isHeld` returns true for tools that are new or have
 * changed.
 */
export function toolFacts(
  tools: readonly ListedTool[],
  isHeld: (name: string) => boolean,
  { columns, theme }: ServerLayout,
): string[] {
  if (tools.length === 0) return ["It offers no tools."]
  return [
    `It offers ${plural(tools.length, "tool")}:`,
    ...tools.flatMap(({ name, description = "", annotations }) => {
      const says = [
        ...(annotations?.readOnlyHint ? ["only reads, it says"] : []),
        ...(annotations?.destructiveHint ? ["may destroy, it says"] : []),
        ...(isHeld(name) ? ["new or changed"] : []),
      ]
      const notes = says.length === 0 ? "" : theme.warn(` (${says.join("; ")})`)
      return [
        `  ${theme.strong(foreignLine(name))}${notes}`,
        ...(description.trim() === "" ? [] : barredLines(description, columns, "  ")),
      ]
    }),
  ]
}
