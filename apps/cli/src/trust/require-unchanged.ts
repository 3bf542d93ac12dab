import { UsageError } from "../arguments/usage-error.ts"
import type { Settings } from "../settings/settings.ts"
import { projectContent } from "./project-content.ts"

/** Rejects with a UsageError where a project was trusted for something else than what it supplies now. */
export async function requireUnchanged({
  trust,
  directory,
  worktree,
}: Pick<Settings, "trust" | "directory" | "worktree">): Promise<void> {
  if (!trust.isTrusted) return
  if ((await projectContent({ directory, worktree })).hash === trust.content.hash) return
  throw new UsageError(`What ${worktree} supplies changed while it was read.`, "Start again.")
}
