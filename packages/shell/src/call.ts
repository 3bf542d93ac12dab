import type { Directories } from "./directories.ts"
import type { Notes } from "./notes.ts"
import type { CommandInput, Unpacking } from "./unpacked.ts"
import type { Argument } from "./words/argument.ts"
import type { Names } from "./words/hole.ts"

/** The shell that reads the text. Some of bash's keywords are commands in a POSIX shell. */
export type Dialect = "bash" | "sh"

/** The state in which a command is read. */
export interface ReadState {
  readonly directories: Directories
  readonly dialect: Dialect
  /** Set if its output becomes words of another command. */
  readonly isRead?: boolean
  /** The names that it reads from its input; undefined if unknown. */
  readonly feed?: Names | undefined
  /** The file that it reads as its input. */
  readonly stdin?: CommandInput | undefined
  /** Set if the command may not run, or runs in a subshell. */
  readonly isUnsure?: boolean
  /** Number of wrappers and nested scripts around it. */
  readonly depth: number
}

/** A command with its arguments, passed to the rule for its name. */
export interface Call {
  /** Without its directory. */
  readonly name: string
  readonly args: readonly Argument[]
  readonly state: ReadState
  readonly notes: Notes
  /** The literal text of its input, if any. */
  readonly input: string | undefined
  /** Records that something is not understood. */
  unclear(sentence: string): void
  /** Reads a command that this one runs. `words` are the whole command. */
  run(words: readonly Argument[], options?: RunOptions): void
  /** Reads a script that this command runs. Returns the directories in which it may end. */
  parse(script: string, options?: { readonly dialect?: Dialect; readonly directories?: Directories }): Directories
  /**
   * Records a file that the command writes. If its name is not literal, records the possible names and their directory.
   */
  writes(this: void, file: Argument): void
  /** Records a file that the command reads. */
  reads(this: void, file: Argument): void
  /**
   * Records that a file may be written into a directory under its own name, with `isTree` everything below a directory.
   */
  copies(this: void, file: Argument, directory: Argument, isTree: boolean): void
  /** Records the value of an environment variable. */
  sets(this: void, value: Argument): void
  /** Records a directory in which the command follows links. */
  follows(directory: Argument): void
  /** Records that the command writes files of unknown names, in `directory` or in its working directory. */
  changes(directory?: Argument): void
  /** Records that the command may write files below a directory whose names match one of the patterns. */
  changesWithin(directory: Argument, names: readonly string[]): void
  /** Records that the command writes files that an archive or a patch names. */
  unpacks(unpacking: Unpacking): void
  /** Records that git writes tracked files below a path, from its index or, with `replace`, from another source. */
  restores(path: Argument, mode: "restore" | "replace"): void
  /** Returns the same call in another directory. */
  at(directory: Argument): Call
}

export interface RunOptions {
  /** Value of `via`. Default: the name of the command. */
  readonly via?: string
  /** Set if it is the same command in other words, so its rule is not applied again. */
  readonly isSame?: boolean
}

/** Reads a call. Returns the directories after it if it changes them. */
export type Rule = (call: Call) => { readonly directories: Directories } | void
