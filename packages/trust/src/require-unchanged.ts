import { UsageError } from "@pawl/config/usage-error"
import type { Trust } from "./decide-trust.ts"
import { projectContent } from "./project-content.ts"

export interface TrustedProject {
  readonly trust: Pick<Trust, "isTrusted" | "content">
  /** Absolute. */
  readonly directory: string
  /** Root of the work tree. */
  readonly worktree: string
}

/** Rejects with a UsageError if a trusted project supplies something else now than what was trusted. */
export async function requireUnchanged({ trust, directory, worktree }: TrustedProject): Promise<void> {
  if (!trust.isTrusted) return
  if ((await projectContent({ directory, worktree })).hash === trust.content.hash) return
  throw new UsageError(`What ${worktree} supplies changed while it was read.`, "Start again.")
}
