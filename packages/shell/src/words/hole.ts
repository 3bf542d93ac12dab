import type { ParsedScript } from "unbash"
import type { Expansion } from "./expansion.ts"

/** What stands in a word where it is not literal. */
export type Hole =
  | { readonly type: "variable"; readonly expansion: Expansion; readonly isQuoted: boolean }
  /** Of file names, as bash reads it. */
  | { readonly type: "pattern"; readonly pattern: string }
  /** A substitution of a command. */
  | { readonly type: "output"; readonly script: ParsedScript | undefined; readonly isQuoted: boolean }
  /** A text without `/` that is not `..`: a number, a date. */
  | { readonly type: "segment" }
  /** One of several words. */
  | { readonly type: "names"; readonly names: Names }
  /** One of the words that another hole is split into. */
  | { readonly type: "each"; readonly of: Hole }
  | { readonly type: "open" }

/** The names that a word may be. */
export interface Names {
  /** As patterns of file names: what is literal is escaped. At their beginning may stand `HOME` or `HERE`. */
  readonly names: readonly string[]
  /** It may be any other. */
  readonly isOpen: boolean
  /** A text of several of them, which is split into words unless it is quoted. */
  readonly isSeveral?: boolean
  /** Patterns of files that are there, whose last names the names have, maybe in other directories. */
  readonly sources?: readonly string[]
  /** Text was put to the names of files that are there, or taken away: the names may be those of other files. */
  readonly isMade?: boolean
}

/** A number, as a pattern. */
export const DIGITS = "[-0-9]*"

/** At the beginning of a name: the home directory. */
export const HOME = "\ue001"
/** At the beginning of a name: the working directory. */
export const HERE = "\ue002"

/** In a pattern, before and behind the flags of a listing: any path below the directory whose last name fits the rest. */
export const BELOW = "\ue003"

/** What a listing leaves out: `f` all but plain files, `g` `.git`, `v` hidden names, `1` what is not in the directory itself. */
export type ListingFlag = "f" | "g" | "v" | "1"

/** The pattern of the paths that a listing puts out, below the directory in front of it. */
export function listing(flags: readonly ListingFlag[], name = "*"): string {
  return `${BELOW}${flags.join("")}${BELOW}${name}`
}

export const OPEN: Names = { names: [], isOpen: true }
