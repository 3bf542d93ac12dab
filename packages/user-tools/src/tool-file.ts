/** A file that exports tools. */
export interface UserToolFile {
  /** Letters, digits, `-` and `_`: the name of the tool that it exports as its default. */
  readonly name: string
  /** Absolute. */
  readonly source: string
}

/** A file, or a tool in it, that is left out. */
export interface UserToolProblem {
  readonly file: string
  /** From 1, where it is known. */
  readonly line?: number
  /** A sentence that names neither. */
  readonly message: string
}
