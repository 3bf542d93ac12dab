import type { DraftListener } from "./hooks.ts"

/** Records the versions of one draft from plugin to plugin. Comparing them is left to `changedBy`. */
export interface DraftTrace extends DraftListener<unknown> {
  /** Returns the plugins that changed the draft, in their order. Compares values: too slow for building requests. */
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

/** Returns whether two values are equal in JSON, in any order of their fields. */
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
