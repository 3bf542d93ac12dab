import type { ServerReport } from "./control.ts"

/** What people are to be told of servers, each thing once. */
export interface Notices {
  /** Those of the texts for these servers that were not given before. */
  fresh(servers: readonly ServerReport[]): readonly string[]
}

/** Texts that are remembered, and tools that one of them names. */
const MOST_TOLD = 1000
const MOST_NAMED = 20

export function createNotices(): Notices {
  const told = new Set<string>()
  return {
    fresh: (servers) => {
      // What a server says of itself may be new each time.
      if (told.size > MOST_TOLD) told.clear()
      const texts = servers.flatMap(noticesFor).filter((text) => !told.has(text))
      for (const text of texts) told.add(text)
      return texts
    },
  }
}

function noticesFor(server: ServerReport): readonly string[] {
  const { name, waiting } = server
  switch (server.status) {
    case "awaiting_approval": {
      const why = server.reason === "changed" ? "it is not what was allowed" : "nobody has allowed it"
      return [`The MCP server "${name}" of this project is not used: ${why}. To allow it: pawl mcp allow ${name}`]
    }
    case "needs_auth":
      return [`The MCP server "${name}" wants to know who asks. Run: pawl mcp auth ${name}`]
    case "failed":
    case "needs_client_registration":
      return [server.error]
    default:
      if (waiting.length === 0) return []
      const more = waiting.length > MOST_NAMED ? `, and ${waiting.length - MOST_NAMED} more` : ""
      const named = `${waiting
        .slice(0, MOST_NAMED)
        .join(", ")
        .slice(0, MOST_NAMED * 100)}${more}`
      return [
        `Tools of the MCP server "${name}" are new or have changed, and are held back: ${named}. To allow them: pawl mcp allow ${name}`,
      ]
  }
}
