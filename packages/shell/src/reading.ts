/** One simple command that could run. Every one of a reading's commands has to be allowed. */
export interface ShellCommand {
  /**
   * The words in canonical form, one space between: quotes and escapes are resolved, and put back in one way where a
   * word needs them. Assignments in front stay in front. What is not literal stands as it was written; `…` stands for
   * words that are read while it runs.
   */
  readonly text: string
  /** The words without quotes, without assignments; those that are not literal as in `text`. */
  readonly words: readonly string[]
  /**
   * Set where the command stands for another one of the list that is written there: the name of the wrapper that runs
   * it (`sudo`, `xargs`, `find`, `sh`), `path` for a program called by its path, `assignment` for a command without the
   * assignments in front of it, `git` and the like for one without the options before its subcommand.
   */
  readonly via?: string
}

export interface ShellRedirect {
  /** Relative to where the command starts, after the changes of directory before it; `~/` is the home directory. */
  readonly path: string
  readonly mode: "read" | "write"
}

/** Names of files that only the file system knows. */
export interface ShellPattern {
  /**
   * As bash reads it, with `\\` before what stands for itself; named as paths are. A name of `BELOW`, flags, `BELOW` and a
   * pattern stands for the path of all below the directory before it whose last name fits, hidden ones included: with `f`
   * plain files only, with `g` none in `.git`, with `v` no hidden names, with `1` only what is in the directory itself.
   */
  readonly pattern: string
  /**
   * As for redirections; `enter`: a directory that it changes to; `follow`: one within which it follows links; `within`: what
   * it may write of what stands below a place; `maybe`: a word that may be no path at all. Files need not be there for the last
   * three: `made`: a name that is written, put together from names that are looked up; `joined`: such a name whose directory
   * alone is another; `source`: files whose names those are. `restore`: a path below which git writes tracked files as its index
   * has them; `replace`: as a stash or a commit has them.
   */
  readonly mode:
    | "read"
    | "write"
    | "enter"
    | "follow"
    | "within"
    | "maybe"
    | "made"
    | "joined"
    | "source"
    | "restore"
    | "replace"
}

/**
 * An archive or a patch whose content names the files that a command writes. Only the one who judges can look it up.
 */
export interface ShellUnpacking {
  readonly program: string
  /** `other`: nothing is known of its format. */
  readonly kind: "tar" | "zip" | "patch" | "other"
  /** Patterns of its file, named as `patterns` are. Empty if the file is not known, such as the input of a pipe. */
  readonly sources: readonly string[]
  /** The patch itself, if it stands in the command. */
  readonly text?: string
  /** The directories that it is unpacked to, named as paths are. Empty if they are not literal. */
  readonly directories: readonly string[]
  /** Names that are left out at the beginning of each path. Default: any number of them. */
  readonly strip?: number
  /** A part of the command that runs before may have made it. */
  readonly isLate: boolean
}

/** An assignment that changes what commands mean. */
export interface ShellAssignment {
  readonly name: string
  /** Absent where it is not literal. */
  readonly value?: string
}

/** What a command would do, as far as its text tells. */
export interface ShellReading {
  /** In order of appearance; a command that another one runs stands behind it. */
  readonly commands: readonly ShellCommand[]
  /**
   * Files that are read or written by redirections, and by commands that name them, such as `cat`, `tee`, `cp` and `rm`.
   * Where the name is not literal, or none is told (`git checkout`, `patch`), the directory where it may be, `.` included.
   */
  readonly redirects: readonly ShellRedirect[]
  /** Patterns among the names of such files, for the one who judges to look up. */
  readonly patterns: readonly ShellPattern[]
  /**
   * Words of other programs that may be paths, named as paths are, and what follows `=`, `:` and the like within them:
   * where there is such a file, the program may read or write it. Many are no paths.
   */
  readonly named: readonly string[]
  /** Those of them that also mean something where only their directory is there: the program may make such a file. */
  readonly made: readonly string[]
  readonly unpacked: readonly ShellUnpacking[]
  /** The directories that it may change to, named as paths are. */
  readonly directories: readonly string[]
  readonly assignments: readonly ShellAssignment[]
  /** What could not be understood, a sentence each. Empty when all of it was. */
  readonly unclear: readonly string[]
}
