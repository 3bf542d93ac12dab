import { UsageError } from "@pawl/config/usage-error"
import type { Settings } from "../config/settings.ts"
import type { ConfiguredServer } from "./configured-servers.ts"

/** Returns the server of this name. Throws UsageError with the known names for an unknown one. */
export function findServer(
  {
    servers,
    settings: { trust },
  }: { readonly servers: readonly ConfiguredServer[]; readonly settings: Pick<Settings, "trust"> },
  name = "",
): ConfiguredServer {
  const found = servers.find((server) => server.name === name)
  if (found) return found
  if (!trust.isTrusted && trust.effects.some(({ file }) => file.kind === "mcp" || file.kind === "config")) {
    const text = `There is no MCP server "${name}", unless it is this project's: the project is not trusted.`
    throw new UsageError(text, "To see what it supplies and allow it: pawl trust")
  }
  const known = servers.map((server) => server.name).join(", ")
  const text = known === "" ? "None is configured." : `Known: ${known}.`
  throw new UsageError(`There is no MCP server "${name}". ${text}`, "To write one: pawl mcp add <name> …")
}
