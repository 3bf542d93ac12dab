import type { PermissionNeed } from "@pawl/core/tool"

/** Merges needs with the same permission, so that a user is asked once about all files of a call. */
export function joinedNeeds(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const byPermission = Map.groupBy(needs, ({ permission }) => permission)
  return [...byPermission].map(([permission, [first, ...others]]) => {
    if (first && others.length === 0) return first
    const all = [...(first ? [first] : []), ...others]
    const filepaths = all.flatMap(({ metadata }) => metadata?.["filepath"] ?? [])
    return {
      permission,
      patterns: [...new Set(all.flatMap(({ patterns }) => patterns))],
      metadata: { filepaths: [...new Set(filepaths)] },
    }
  })
}
