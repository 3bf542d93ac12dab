/** A simple command that could run. All commands of a reading must be allowed. */
export interface ShellCommand {
  /**
   * The words in canonical form, separated by spaces: quotes and escapes are resolved, and added again in a uniform way
   * if necessary. Includes leading assignments. Text that is not literal stays as written; `…` stands for words that
   * are read at run time.
   */
  readonly text: string
  /** The words without quotes and assignments. Words that are not literal are as in `text`. */
  readonly words: readonly string[]
  /**
   * Set if the command results from another one of the list: the wrapper that runs it (`sudo`, `xargs`, `find`, `sh`),
   * `path` for a program called by its path, `assignment` for a command without its leading assignments, `git` and the
   * like for one without the options before its subcommand.
   */
  readonly via?: string
}

export interface ShellRedirect {
  /** Relative to the start of the command, after earlier changes of directory; `~/` is the home directory. */
  readonly path: string
  readonly mode: "read" | "write"
}

/** A pattern of file names that only the file system can resolve. */
export interface ShellPattern {
  /**
   * In bash's syntax, with `\\` before literal special characters; relative as paths are. `BELOW`, flags, `BELOW` and a
   * pattern match all paths below the preceding directory whose last name matches, including hidden ones. Flags: `f`
   * only plain files, `g` nothing in `.git`, `v` no hidden names, `1` only entries of the directory itself.
   */
  readonly pattern: string
  /**
   * `read` and `write` are as for redirects. `enter`: a directory that the command changes to. `follow`: a directory in
   * which it follows links. `within`: files below a directory that it may write. `maybe`: a word that may not be a
   * path. For the next three the files need not exist. `made`: a written name that is composed from names that are
   * looked up. `joined`: such a name that differs only in its directory. `source`: the files that the names come from.
   * `restore`: a path below which git writes tracked files from its index. `replace`: as `restore`, from a stash or a
   * commit.
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
  /** Missing if it is not literal. */
  readonly value?: string
}

/** The effects of a command, as far as its text shows them. */
export interface ShellReading {
  /** In order of appearance. A command that another one runs follows it. */
  readonly commands: readonly ShellCommand[]
  /**
   * Files that redirections and commands such as `cat`, `tee`, `cp` and `rm` read or write. If a name is not literal or
   * not given (`git checkout`, `patch`), the directory that contains the file, including `.`.
   */
  readonly redirects: readonly ShellRedirect[]
  /** Patterns of such files, which the caller must look up. */
  readonly patterns: readonly ShellPattern[]
  /**
   * Words of other programs that may be paths, including the text after `=`, `:` and the like. If such a file exists,
   * the program may read or write it. Many of these words are not paths.
   */
  readonly named: readonly string[]
  /** The `named` paths that count if only their directory exists, because the program may create the file. */
  readonly made: readonly string[]
  readonly unpacked: readonly ShellUnpacking[]
  /** Directories that the command may change to. */
  readonly directories: readonly string[]
  readonly assignments: readonly ShellAssignment[]
  /** A sentence for each part that is not understood. Empty if everything is understood. */
  readonly unclear: readonly string[]
}
