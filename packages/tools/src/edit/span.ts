/** A part of a text, from `start` up to but not including `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Finds where `oldString` stands in a text; spans ascend and may overlap. `newString` is what would stand there then. */
export interface Matcher {
  readonly name: string
  /** A guess may only be taken where it is the only one. */
  readonly isGuess?: boolean
  find(text: string, oldString: string): readonly Span[]
  /** How the replacement must be changed along with what was found. */
  adapt?(newString: string): string
}
