import type { KeyPath } from "./key-path.ts"

/** A place in a text. Lines and columns count from 1, columns in characters. */
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
  /** That there is such a key at all is what is wrong. */
  isUnknownKey?: true
}

/** The part of an entry that a finding refers to, so that the user looks there. */
export type KeyPart = "key" | "value"

/** Finds the place of a path; for what is missing, that of the object it is missing from. */
export type Locate = (path: KeyPath, part: KeyPart) => Position | undefined

export function comparePositions(a: Position | undefined, b: Position | undefined): number {
  if (a === undefined || b === undefined) return 0
  return a.line - b.line || a.column - b.column
}
