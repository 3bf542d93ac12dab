import type { ParsedScript } from "unbash"
import type { Expansion } from "./expansion.ts"

/** A part of a word that is not literal. */
export type Hole =
  | { readonly type: "variable"; readonly expansion: Expansion; readonly isQuoted: boolean }
  /** A pattern of file names in bash's syntax. */
  | { readonly type: "pattern"; readonly pattern: string }
  /** A command substitution. */
  | { readonly type: "output"; readonly script: ParsedScript | undefined; readonly isQuoted: boolean }
  /** A text without `/` other than `..`: a number, a date. */
  | { readonly type: "segment" }
  /** A single name of several possible ones. */
  | { readonly type: "names"; readonly names: Names }
  /** A single word of those into which another hole is split. */
  | { readonly type: "each"; readonly of: Hole }
  | { readonly type: "open" }

/** The names that a word may have. */
export interface Names {
  /** Patterns of file names with escaped literals. They may begin with `HOME` or `HERE`. */
  readonly names: readonly string[]
  /** Set if any other name is possible. */
  readonly isOpen: boolean
  /** Set if the names form one text, which is split into words unless it is quoted. */
  readonly isSeveral?: boolean
  /** Patterns of existing files with the same last names, possibly in other directories. */
  readonly sources?: readonly string[]
  /** Set if the names were derived from existing files by adding or removing text, so they may be other files. */
  readonly isMade?: boolean
}

/** Pattern of a number. */
export const DIGITS = "[-0-9]*"

/** At the beginning of a name: the home directory. */
export const HOME = "\ue001"
/** At the beginning of a name: the working directory. */
export const HERE = "\ue002"

/**
 * Encloses the flags of a listing in a pattern: any path below the preceding directory whose last name matches the
 * rest.
 */
export const BELOW = "\ue003"

/**
 * Exclusions of a listing: `f` all but plain files, `g` `.git`, `v` hidden names, `1` everything below subdirectories.
 */
export type ListingFlag = "f" | "g" | "v" | "1"

/** Returns the pattern of the paths that a listing prints, for the directory before it. */
export function listing(flags: readonly ListingFlag[], name = "*"): string {
  return `${BELOW}${flags.join("")}${BELOW}${name}`
}

export const OPEN: Names = { names: [], isOpen: true }
