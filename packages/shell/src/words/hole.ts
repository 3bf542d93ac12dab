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
  | { readonly type: "open" }

/** The names that a word may be. */
export interface Names {
  /** As patterns of file names: what is literal is escaped. At their beginning may stand `HOME` or `HERE`. */
  readonly names: readonly string[]
  /** It may be any other. */
  readonly isOpen: boolean
}

/** At the beginning of a name: the home directory. */
export const HOME = "\ue001"
/** At the beginning of a name: the working directory. */
export const HERE = "\ue002"

export const OPEN: Names = { names: [], isOpen: true }
