import type { ApprovalState, Approvals, ServerKey, ToolHashes } from "@pawl/plugin-mcp"

/** What would be allowed of a server. */
export interface LookedAt {
  readonly server: ServerKey
  readonly hash: string
  readonly tools: ToolHashes | undefined
}

/** Approvals under which one server can be looked at: nothing of it lasts before people agree. */
export interface TrialApprovals extends Approvals {
  /** What was seen last; undefined before it was looked at. */
  seen(): LookedAt | undefined
}

/** What was allowed before goes on to count. */
export function createTrialApprovals(before: Approvals): TrialApprovals {
  let seen: LookedAt | undefined
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
