import type { SourceLines } from "./source-lines.ts"
import type { Span } from "./span.ts"

/** A text that is searched; its lines are found once for all matchers. */
export interface SearchedText {
  readonly text: string
  readonly lines: SourceLines
}

export interface FindOptions {
  /** Go on behind each span, for spans that are all replaced; otherwise they may overlap. */
  readonly isApart: boolean
}

/** Finds where `oldString` stands in a text. `newString` is what would stand there then. */
export interface Matcher {
  readonly name: string
  /** A guess may only be taken where it is the only one. */
  readonly isGuess?: boolean
  /** Ascending, and only as far as they are asked for. */
  find(source: SearchedText, oldString: string, options: FindOptions): Iterable<Span>
  /** How the replacement must be changed along with what was found. */
  adapt?(newString: string): string
}
