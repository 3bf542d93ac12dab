// Comparing this many lines takes about a second.
const MAX_COMPARED_LINES = 5_000_000

export interface LineBudget {
  spend(lines: number): void
}

/**
 * Limits the lines that one search compares. Throws with a text for the model if the limit is exceeded, because matches
 * in the rest of the file are unknown.
 */
export function createLineBudget(maxLines = MAX_COMPARED_LINES): LineBudget {
  let left = maxLines
  return {
    spend(lines) {
      left -= lines
      if (left < 0) {
        throw new Error(
          "The file has too many lines like those of oldString to compare them all. Give a shorter oldString that begins with a rarer line.",
        )
      }
    },
  }
}
