import type { DraftListener } from "./hooks.ts"

/** Follows one draft from plugin to plugin, to tell later who changed it; on the way it only keeps the values. */
export interface DraftTrace extends DraftListener<unknown> {
  /** The plugins that changed something, in their order. Compares: not for the way to the request. */
  changedBy(): string[]
}

export function createDraftTrace(): DraftTrace {
  const drafts: { plugin: string; before: unknown; after: unknown }[] = []
  return {
    onDraft: (plugin, before, after) => void drafts.push({ plugin, before, after }),
    changedBy() {
      return drafts.flatMap(({ plugin, before, after }) => (isSameJSON(before, after) ? [] : [plugin]))
    },
  }
}

/** Whether two values are the same in JSON, in whatever order their fields are. */
function isSameJSON(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isSameJSON(item, b[at]))
    )
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every((name) => isSameJSON(left[name], right[name]))
}
