/** A problem in the configuration. Lines and columns count from 1, columns in characters. */
export interface ConfigProblem {
  /** Absolute path of the file, or the name of a source that is not a file. Absent if no source has the problem. */
  file?: string
  line?: number
  column?: number
  /** The key, as in `provider.local.options.baseURL`. Absent if the problem is not about a key. */
  path?: string
  /** A sentence for the user that begins with the position. */
  message: string
}

const MAX_LINES = 20

/**
 * Thrown if the configuration cannot be used. `problems` lists all problems, in the order of the sources and of their
 * text. `file`, `line`, `column` and `path` are those of the first problem. The message has one line for each of the
 * first 20.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly path: string | undefined
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]]) {
    const lines = problems.slice(0, MAX_LINES).map((problem) => problem.message)
    if (problems.length > MAX_LINES) lines.push(`… and ${problems.length - MAX_LINES} more.`)
    super(lines.join("\n"))
    const [first] = problems
    this.problems = problems
    this.file = first.file
    this.line = first.line
    this.column = first.column
    this.path = first.path
  }
}
