import type { Change, Revision } from "@pawl/core/storage"
import type { Acknowledged } from "./options.ts"
import { isEvent } from "./steps.ts"

/**
 * Compares a session's changes with the acknowledgements of its workers. Reports a missing or duplicate revision, an
 * epoch that follows a later one, and a missing acknowledged commit.
 */
export function judgeLeases(
  changes: readonly Change[],
  revision: Revision,
  acknowledged: readonly Acknowledged[],
): string[] {
  const problems: string[] = []
  const epochs = new Map<Revision, number>()
  for (const change of changes) {
    if (change.type !== "part.put" || !isEvent(change.part) || change.part.type !== "text") continue
    if (epochs.has(change.revision)) problems.push(`Revision ${change.revision} is of two commits.`)
    epochs.set(change.revision, Number(change.part.text))
  }
  let latest = 0
  // The first commit created the session.
  for (let each = 2; each <= revision; each++) {
    const epoch = epochs.get(each)
    if (epoch === undefined) problems.push(`There is a gap at revision ${each}.`)
    else if (epoch < latest) problems.push(`Revision ${each} was written in epoch ${epoch}, after epoch ${latest}.`)
    latest = Math.max(latest, epoch ?? 0)
  }
  for (const { revision: told, epoch } of acknowledged) {
    if (epochs.get(told) !== epoch)
      problems.push(`Revision ${told} was acknowledged in epoch ${epoch} and is another's.`)
  }
  return problems
}

/** Reports duplicate lines of executions: `session step worker`. */
export function judgeExecutions(lines: readonly string[]): string[] {
  const seen = new Map<string, string>()
  const problems: string[] = []
  for (const line of lines) {
    const [session = "", step = "", worker = ""] = line.split(" ")
    const key = `${session} ${step}`
    const other = seen.get(key)
    if (other !== undefined) problems.push(`Call ${step} of ${session} was executed by ${other} and by ${worker}.`)
    seen.set(key, worker)
  }
  return problems
}
