import type { Directories } from "./directories.ts"
import type { Notes } from "./notes.ts"
import type { CommandInput, Unpacking } from "./unpacked.ts"
import type { Argument } from "./words/argument.ts"
import type { Names } from "./words/hole.ts"

/** Which shell reads the text: in a POSIX shell some of bash's words are commands. */
export type Dialect = "bash" | "sh"

/** The surroundings that a command is read in. */
export interface Place {
  readonly directories: Directories
  readonly dialect: Dialect
  /** Its output becomes words of another command. */
  readonly isRead?: boolean
  /** What it is given to read, as names of files; absent where that is not known. */
  readonly feed?: Names | undefined
  /** The file that it reads as its input. */
  readonly stdin?: CommandInput | undefined
  /** Whether it may not run at all, or in a shell of its own. */
  readonly isUnsure?: boolean
  /** How many wrappers and nested scripts are around it. */
  readonly depth: number
}

/** A command with its arguments, handed to the rule for its name. */
export interface Call {
  /** Without its directory. */
  readonly name: string
  readonly args: readonly Argument[]
  readonly place: Place
  readonly notes: Notes
  /** The text that the command is given as its input, where that is literal. */
  readonly input: string | undefined
  /** Notes that something is not understood. */
  unclear(sentence: string): void
  /** Judges a command that this one runs; these words are all of it. */
  run(words: readonly Argument[], options?: RunOptions): void
  /** Judges a script that this command runs; returns where it ends up. */
  parse(script: string, options?: { readonly dialect?: Dialect; readonly directories?: Directories }): Directories
  /** Notes a file that it writes; where that is not literal, what may be meant, and the directory that it may be in. */
  writes(this: void, file: Argument): void
  /** Notes a file that it leads to. */
  reads(this: void, file: Argument): void
  /** Notes that a file may be written into a directory, by its own name; with `isTree` all below a directory. */
  copies(this: void, file: Argument, directory: Argument, isTree: boolean): void
  /** Notes the value of an assignment in the surroundings of programs. */
  sets(this: void, value: Argument): void
  /** Notes a directory within which it follows links. */
  follows(directory: Argument): void
  /** Notes that it writes files whose names are not told, in a directory or where it runs. */
  changes(directory?: Argument): void
  /** Notes that it may write files of such names below a directory, each a pattern. */
  changesWithin(directory: Argument, names: readonly string[]): void
  /** Notes that it writes files whose names stand in an archive or a patch. */
  unpacks(unpacking: Unpacking): void
  /** Notes that git writes tracked files below a path, from its index or, with `replace`, from elsewhere. */
  restores(path: Argument, mode: "restore" | "replace"): void
  /** The same call in another directory. */
  at(directory: Argument): Call
}

export interface RunOptions {
  /** What stands for the command in `via`; the name when absent. */
  readonly via?: string
  /** The same command in other words: its rule is not asked again. */
  readonly isSame?: boolean
}

/** Judges a call; returns the place after it where it changes that. */
export type Rule = (call: Call) => { readonly directories: Directories } | void
