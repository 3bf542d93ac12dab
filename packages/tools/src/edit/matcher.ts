import type { SourceLines } from "./source-lines.ts"
import type { Span } from "./span.ts"

/** Shared by all matchers, so that the lines of a text are found once. */
export interface SearchedText {
  readonly text: string
  readonly lines: SourceLines
}

export interface FindOptions {
  /** Set when all matches are replaced, so they must not overlap. */
  readonly isApart: boolean
}

/** Finds `oldString` in a text in one way. */
export interface Matcher {
  readonly name: string
  /** A guess is used only if it is the only match, and never for `replaceAll`. */
  readonly isGuess?: boolean
  /** Yields matches in ascending order, lazily. */
  find(source: SearchedText, oldString: string, options: FindOptions): Iterable<Span>
  /** Changes `newString` in the way that made `oldString` match. */
  adapt?(newString: string): string
}
