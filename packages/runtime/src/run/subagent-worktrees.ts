import { realpath } from "node:fs/promises"
import type { SubagentDirectories } from "@pawl/core/host"
import type { WorktreeDeps } from "@pawl/worktree"
import { worktreeNameOf } from "@pawl/worktree/origin"

/** Gives subagents git worktrees. git's code is loaded with the first one. */
export function subagentWorktrees(deps: WorktreeDeps): SubagentDirectories {
  return {
    async open({ above, agent, directory, signal }) {
      const { openWorktree } = await import("@pawl/worktree")
      const name = directory === undefined ? undefined : await nameOf(directory, deps)
      const request = { directory: await realpath(above), name, topic: agent }
      return (await openWorktree(request, { ...deps, signal })).directory
    },
    async ended({ directory, agent, description }) {
      const { settleWorktree } = await import("@pawl/worktree")
      const settled = await settleWorktree({ directory, message: `${description} (@${agent} subagent)` }, deps)
      if (settled === undefined) return undefined
      const { branch, base, path, origin, summary } = settled
      if (summary === "") return "It changed no files; its git worktree was removed."
      return (
        `It worked in a git worktree of its own, ${path}, which began at commit ${base.slice(0, 12)}. ` +
        `Its changes are committed on the branch ${branch} (${summary}), and not in ${origin}. ` +
        `See them with: git diff ${base.slice(0, 12)} ${branch}. Take them over with: git merge ${branch}`
      )
    },
  }
}

async function nameOf(directory: string, { dataDirectory }: WorktreeDeps): Promise<string | undefined> {
  return worktreeNameOf(await realpath(dataDirectory).catch(() => dataDirectory), directory)
}
