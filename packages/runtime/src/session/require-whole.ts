import type { Session } from "@pawl/core"
import { UsageError } from "@pawl/config/usage-error"

/**
 * Throws UsageError for a session that an import or a copy has transferred only in part. Continuing it would lose the missing
 * part, and the same import or copy could not be finished.
 */
export async function requireWhole(session: Session): Promise<void> {
  if (!(await isUnfinishedTransfer(session))) return
  throw new UsageError(
    `Session ${session.id} is not whole: it is being imported or copied, or that was interrupted.`,
    `Repeat that command to finish it. Else: pawl session fork ${session.id} makes a session of what is here, pawl session remove ${session.id} removes it.`,
  )
}

export async function isUnfinishedTransfer(session: Session): Promise<boolean> {
  // Most sessions have no metadata, and need nothing loaded.
  if (!session.metadata) return false
  const { isUnfinished } = await import("@pawl/transfer/unfinished")
  return isUnfinished(session)
}
