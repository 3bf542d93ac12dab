import type { ApprovalState, Approvals, ServerKey, ToolHashes } from "@pawl/plugin-mcp"

/** The server and tools that an approval would allow. */
export interface ReviewedServer {
  readonly server: ServerKey
  readonly hash: string
  readonly tools: ToolHashes | undefined
}

/** Approvals that allow connecting to a server for a review without storing anything. */
export interface TrialApprovals extends Approvals {
  /** Returns what was seen last; undefined before the first connection. */
  seen(): ReviewedServer | undefined
}

/** Earlier approvals stay valid. */
export function createTrialApprovals(before: Approvals): TrialApprovals {
  let seen: ReviewedServer | undefined
  const isSeen = (hash: string) => seen?.hash === hash
  return {
    seen: () => seen,
    state: async (server, hash): Promise<ApprovalState> => (isSeen(hash) ? "allowed" : before.state(server, hash)),
    tools: async (server, hash) => (isSeen(hash) ? seen?.tools : before.tools(server, hash)),
    async allow(server, hash, tools) {
      seen = { server, hash, tools }
    },
    async forget() {
      seen = undefined
    },
  }
}
