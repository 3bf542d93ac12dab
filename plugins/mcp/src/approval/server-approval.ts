import { McpServerError } from "../errors.ts"
import type { ListedTool } from "../listing/listing.ts"
import type { Approvals, ApprovalState, ServerKey, ToolHashes } from "./approvals.ts"
import { type JudgedTools, judgeTools, toolHashes } from "./judge-tools.ts"

/** The approval of one server in its current configuration. */
export interface ServerApproval {
  /** Returns the state of the approval. Servers from the user's own configuration are always allowed. */
  state(): Promise<ApprovalState>
  /** Rejects with McpServerError unless the server is allowed. */
  assertAllowed(): Promise<void>
  judge(tools: readonly ListedTool[]): Promise<JudgedTools>
  /** Allows the server. Without `tools`, the first tools that it lists are allowed with it. */
  allow(tools?: readonly ListedTool[]): Promise<void>
}

/** `hash` covers everything that decides what is started or reached. */
export function createServerApproval(approvals: Approvals, key: ServerKey, hash: string): ServerApproval {
  const { name } = key
  // If nothing can be stored, the first tools are remembered in memory.
  let first: ToolHashes | undefined
  const state = async () => (key.scope === "user" ? "allowed" : approvals.state(key, hash))
  return {
    state,
    async assertAllowed() {
      const now = await state()
      if (now === "allowed") return
      const reason = now === "changed" ? "it has changed since it was allowed" : "it has not been allowed"
      const text = `The MCP server "${name}" is not used: ${reason}. Run: pawl mcp allow ${name}`
      throw new McpServerError("not-allowed", name, text)
    },
    async judge(tools) {
      const approved = (await approvals.tools(key, hash)) ?? first
      if (approved) return judgeTools(tools, approved)
      // Allowing a server allows the tools that it lists first. Later changes need approval.
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
