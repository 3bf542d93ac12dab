// In lines compared; so many take about a second.
const MOST = 5_000_000

export interface LineBudget {
  spend(lines: number): void
}

/**
 * Counts the lines that one search compares. Throws, with a text for the model, when a text of lines that are all alike
 * would take minutes: what was found until then might not be the only place.
 */
export function createLineBudget(most = MOST): LineBudget {
  let left = most
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
