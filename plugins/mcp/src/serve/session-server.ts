import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import type { Served } from "./serve-host.ts"
import { type FollowPrompt, registerSessionTools } from "./session-tools.ts"

const INSTRUCTIONS =
  "Sessions of a coding agent in one project. Give it a task with session_prompt; name the session again to go on in it. A long task reports its progress, and ends when the call is cancelled."

export interface SessionServerDeps {
  readonly version: string
  /** Called with each tool call. */
  readonly served: () => Promise<Served>
  readonly onPrompt?: FollowPrompt
}

/** Creates a server for one client, which is not connected yet. */
export function createSessionServer({ version, served, onPrompt }: SessionServerDeps): McpServer {
  const server = new McpServer({ name: "pawl", version }, { instructions: INSTRUCTIONS })
  registerSessionTools(server, served, onPrompt)
  return server
}

/** Opens once, on the first call. After a failure the next call tries again. */
export function openedOnce(open: () => Promise<Served>): () => Promise<Served> {
  let opened: Promise<Served> | undefined
  return () => {
    opened ??= open()
    opened.catch(() => (opened = undefined))
    return opened
  }
}
