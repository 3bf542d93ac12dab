/** What a patch does to one file. Each knows its line in the patch, from 1. */
export type FileChange =
  | { readonly type: "add"; readonly path: string; readonly line: number; readonly content: string }
  | { readonly type: "delete"; readonly path: string; readonly line: number }
  | {
      readonly type: "update"
      readonly path: string
      readonly line: number
      /** Absent: it stays where it is. */
      readonly moveTo?: { readonly path: string }
      /** In the order of the file; empty only where the file is moved. */
      readonly hunks: readonly Hunk[]
    }

export interface Hunk {
  /** In the patch, from 1. */
  readonly line: number
  /** Lines that stand somewhere above the hunk, the outermost first. */
  readonly headers: readonly string[]
  readonly lines: readonly HunkLine[]
  /** Whether the hunk's last old line is the last one of the file. */
  readonly isAtEnd: boolean
}

export interface HunkLine {
  /** Kept, added, removed. */
  readonly sign: " " | "+" | "-"
  readonly text: string
}
