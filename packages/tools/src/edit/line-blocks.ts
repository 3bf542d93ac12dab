import { createLineBudget } from "./line-budget.ts"
import { allLines, type SourceLines, toSourceLines } from "./source-lines.ts"
import type { FindOptions, SearchedText } from "./matcher.ts"
import type { Span } from "./span.ts"

/**
 * The blocks of whole lines that are those of `oldString` once white space at both ends of each line is dropped, and that
 * `accepts`, given the lines as they stand, takes too.
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
    // Line by line: most candidates end at their first or second one.
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
