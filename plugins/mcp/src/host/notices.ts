import type { ServerReport } from "./control.ts"

/** Messages for the user about servers. */
export interface Notices {
  /** Returns the messages about these servers that were not returned before. */
  fresh(servers: readonly ServerReport[]): readonly string[]
}

/** Maximum number of remembered messages, and of tools that a message names. */
const MAX_REMEMBERED = 1000
const MAX_NAMED_TOOLS = 20

export function createNotices(): Notices {
  const shown = new Set<string>()
  return {
    fresh: (servers) => {
      // A server's own error text may differ each time.
      if (shown.size > MAX_REMEMBERED) shown.clear()
      const texts = servers.flatMap(noticesFor).filter((text) => !shown.has(text))
      for (const text of texts) shown.add(text)
      return texts
    },
  }
}

function noticesFor(server: ServerReport): readonly string[] {
  const { name, waiting } = server
  switch (server.status) {
    case "awaiting_approval": {
      const why = server.reason === "changed" ? "it has changed since it was allowed" : "it has not been allowed"
      return [`The MCP server "${name}" of this project is not used: ${why}. To allow it: pawl mcp allow ${name}`]
    }
    case "needs_auth":
      return [`The MCP server "${name}" requires authorization. Run: pawl mcp auth ${name}`]
    case "failed":
    case "needs_client_registration":
      return [server.error]
    default:
      if (waiting.length === 0) return []
      const more = waiting.length > MAX_NAMED_TOOLS ? `, and ${waiting.length - MAX_NAMED_TOOLS} more` : ""
      const named = `${waiting
        .slice(0, MAX_NAMED_TOOLS)
        .join(", ")
        .slice(0, MAX_NAMED_TOOLS * 100)}${more}`
      return [
        `Tools of the MCP server "${name}" are new or have changed, and are held back: ${named}. To allow them: pawl mcp allow ${name}`,
      ]
  }
}
