import { record, countOr, textOr } from "./foreign.ts"

/** Returns diffs with pawl's fields. Older diffs have no file name or contain the whole file before and after. */
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
