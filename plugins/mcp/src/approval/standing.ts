import { McpServerError } from "../errors.ts"
import type { ListedTool } from "../listing/listing.ts"
import type { Approvals, ApprovalState, ServerKey, ToolHashes } from "./approvals.ts"
import { type JudgedTools, judgeTools, toolHashes } from "./judge-tools.ts"

/** What people allowed of one server, as it is configured now. */
export interface Standing {
  /** Whether it may be started or reached. A user's own servers may. */
  state(): Promise<ApprovalState>
  /** Rejects with McpServerError unless it may. */
  assertAllowed(): Promise<void>
  judge(tools: readonly ListedTool[]): Promise<JudgedTools>
  /** Without tools: those that it offers at first are allowed with it. */
  allow(tools?: readonly ListedTool[]): Promise<void>
}

/** `hash` is of all that decides what is started or reached. */
export function createStanding(approvals: Approvals, key: ServerKey, hash: string): Standing {
  const { name } = key
  // Where nothing can be written, what came first counts as long as this process lives.
  let first: ToolHashes | undefined
  const state = async () => (key.scope === "user" ? "allowed" : approvals.state(key, hash))
  return {
    state,
    async assertAllowed() {
      const now = await state()
      if (now === "allowed") return
      const why = now === "changed" ? "it is not what was allowed" : "nobody has allowed it"
      const text = `The MCP server "${name}" is not used: ${why}. Run: pawl mcp allow ${name}`
      throw new McpServerError("not-allowed", name, text)
    },
    async judge(tools) {
      const approved = (await approvals.tools(key, hash)) ?? first
      if (approved) return judgeTools(tools, approved)
      // Whoever allowed the server has allowed what it offers at first; what changes later is asked.
      first = toolHashes(tools)
      await approvals.allow(key, hash, first).catch(() => undefined)
      return { allowed: tools, waiting: [] }
    },
    async allow(tools) {
      first = tools && toolHashes(tools)
      await approvals.allow(key, hash, first)
    },
  }
}
