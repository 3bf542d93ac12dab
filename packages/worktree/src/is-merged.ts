import { type GitContext, readGit } from "./git.ts"
import type { WorktreeRecord } from "./origin.ts"

/** Returns whether another branch or tag holds the commit, or the one commit as which the worktree was merged at it. */
export async function isMerged(
  { common, branch, base, squashed }: WorktreeRecord,
  commit: string,
  context: GitContext,
): Promise<boolean> {
  // A worktree without commits has nothing to lose, even if the history that it began at was replaced.
  if (commit === base) return true
  const held = commit === squashed?.tip ? squashed.commit : commit
  const args = ["for-each-ref", "--contains", held, "--format=%(refname)", "refs/heads", "refs/remotes", "refs/tags"]
  const output = await readGit(common, args, context)
  return output?.split("\n").some((ref) => ref !== "" && ref !== `refs/heads/${branch}`) === true
}
