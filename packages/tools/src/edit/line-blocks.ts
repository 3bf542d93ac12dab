import { createLineBudget } from "./line-budget.ts"
import { allLines, type SourceLines, toSourceLines } from "./source-lines.ts"
import type { FindOptions, SearchedText } from "./matcher.ts"
import type { Span } from "./span.ts"

/**
 * Finds the blocks of whole lines that equal `oldString` after trimming each line, and that `accepts` confirms.
 * `accepts` gets the untrimmed lines.
 */
export function* lineBlocks(
  { lines }: SearchedText,
  oldString: string,
  { isApart }: FindOptions,
  accepts: (block: readonly string[], wanted: readonly string[]) => boolean = () => true,
): Iterable<Span> {
  const wanted = allLines(toSourceLines(oldString))
  const budget = createLineBudget()
  const trimmed = wanted.map((line) => line.trim())
  for (let first = 0; first + wanted.length <= lines.count; first++) {
    // Most candidates differ in their first or second line, so compare line by line.
    const differing = trimmed.findIndex((line, index) => line !== lines.trimmed(first + index))
    budget.spend(differing === -1 ? trimmed.length : differing)
    if (differing !== -1) continue
    if (!accepts(block(lines, first, wanted.length), wanted)) continue
    yield lines.span(first, wanted.length, oldString.endsWith("\n"))
    if (isApart) first += wanted.length - 1
  }
}

function block(lines: SourceLines, first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => lines.text(first + index))
}
