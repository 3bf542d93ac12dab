import type { PermissionAction, PermissionDecision } from "@pawl/core/permission"
import type { ReplayedChange } from "./replay-calls.ts"

/** How many calls one rule would have changed, and in which way. */
export interface TallyRow {
  readonly before: PermissionAction
  readonly after: PermissionAction
  /** Absent where no rule spoke. */
  readonly rule?: PermissionDecision["rule"]
  readonly scope?: string | undefined
  readonly line?: number | undefined
  readonly count: number
}

export interface Tally {
  add(change: Pick<ReplayedChange, "before" | "decision">): void
  readonly changed: number
  /** The most calls first. */
  rows(): TallyRow[]
}

export function createTally(): Tally {
  const rows = new Map<string, TallyRow>()
  let changed = 0
  return {
    add({ before, decision }) {
      changed++
      const { action: after, rule, scope, line } = decision
      const key = JSON.stringify([before, after, rule?.permission, rule?.pattern, scope, line])
      const known = rows.get(key) ?? { before, after, ...(rule ? { rule } : {}), scope, line, count: 0 }
      rows.set(key, { ...known, count: known.count + 1 })
    },
    get changed() {
      return changed
    },
    rows: () => [...rows.values()].toSorted((a, b) => b.count - a.count),
  }
}
