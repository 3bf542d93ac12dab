import { record, countOr, textOr } from "./foreign.ts"

/**
 * The diffs with the fields that pawl wants of each; older ones name no file or hold the whole file before and after.
 */
export function fileDiffs(diffs: unknown): Record<string, unknown>[] {
  if (!Array.isArray(diffs)) return []
  return diffs.map((diff) => {
    const given = record(diff)
    return {
      ...given,
      file: textOr(given["file"], ""),
      additions: countOr(given["additions"], 0),
      deletions: countOr(given["deletions"], 0),
    }
  })
}
