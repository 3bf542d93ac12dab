import type { KeyPath } from "./key-path.ts"

/** A position in a text. Lines and columns count from 1, columns in characters. */
export interface Position {
  line: number
  column: number
}

/** A problem in a source, without the source's name. */
export interface Finding {
  /** A sentence. */
  message: string
  path?: KeyPath
  position?: Position | undefined
  /** True if the problem is that the key is unknown. */
  isUnknownKey?: true
}

/** The part of an entry that a problem is about. Its position is shown to the user. */
export type KeyPart = "key" | "value"

/** Returns the position of a path. If the path is missing, returns that of its nearest existing object. */
export type Locate = (path: KeyPath, part: KeyPart) => Position | undefined

export function comparePositions(a: Position | undefined, b: Position | undefined): number {
  if (a === undefined || b === undefined) return 0
  return a.line - b.line || a.column - b.column
}
