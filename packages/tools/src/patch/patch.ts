/** The change of one file. `line` is its line in the patch, from 1. */
export type FileChange =
  | { readonly type: "add"; readonly path: string; readonly line: number; readonly content: string }
  | { readonly type: "delete"; readonly path: string; readonly line: number }
  | {
      readonly type: "update"
      readonly path: string
      readonly line: number
      /** New path, if the file is moved. */
      readonly moveTo?: { readonly path: string }
      /** In file order. Empty only if the file is moved. */
      readonly hunks: readonly Hunk[]
    }

export interface Hunk {
  /** Line in the patch, from 1. */
  readonly line: number
  /** Lines somewhere above the hunk, the outermost first. */
  readonly headers: readonly string[]
  readonly lines: readonly HunkLine[]
  /** True if the hunk's last old line is the last line of the file. */
  readonly isAtEnd: boolean
}

export interface HunkLine {
  /** A kept, added or removed line. */
  readonly sign: " " | "+" | "-"
  readonly text: string
}
