import type { ApprovalState, Approvals, ServerKey, ToolHashes } from "@pawl/plugin-mcp"

/** The command or URL of a server, and its tools, as the user reviews them. */
export interface ReviewedServer {
  readonly server: ServerKey
  readonly hash: string
  readonly tools: ToolHashes | undefined
}

/** Approvals that start one server for a review. Nothing is stored before the user agrees. */
export interface TrialApprovals extends Approvals {
  /** Returns the reviewed server. Undefined before the server was started. */
  seen(): ReviewedServer | undefined
}

/** Creates approvals on top of the stored ones, which stay valid. */
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
