import type { ShellAssignment, ShellCommand, ShellPattern, ShellReading, ShellRedirect } from "./reading.ts"
import type { Argument } from "./words/argument.ts"
import { type NotedUnpacking, toUnpacked } from "./unpacked.ts"
import { excerpt } from "./words/quote.ts"

/** Everything that is found while a command is read. */
export interface Notes {
  readonly commands: ShellCommand[]
  readonly redirects: ShellRedirect[]
  readonly patterns: ShellPattern[]
  readonly unpacked: NotedUnpacking[]
  /** Directories that it changes to. */
  readonly entered: Set<string>
  /** Words of programs that may be paths. */
  readonly named: Set<string>
  /** The `named` paths that a program may create. */
  readonly made: Set<string>
  readonly assignments: ShellAssignment[]
  readonly unclear: Set<string>
  /** Functions that the command defines. */
  readonly functions: Set<string>
  /** Variables whose values, set by the command, may look like options; `@` for the positional parameters. */
  readonly dubious: Set<string>
  /** Literal values that the command sets, by variable; `@` as above. */
  readonly values: Map<string, Set<string>>
  /** Words that the command assigns, by variable and text; `@` as above. */
  readonly contents: Map<string, Map<string, Argument>>
  /** Variables, and `@`, with a value from outside or a composed one. */
  readonly open: Set<string>
  /** Variables that certainly have a value, or are a loop's. */
  readonly sure: Set<string>
  /** Settings that change which names patterns match. */
  readonly globbing: Set<string>
  /** Variables that contain the working directory at their assignment and name a file. */
  readonly pathVariables: Set<string>
  /** Arithmetic expressions with variables, whose values are evaluated and may contain a substitution. */
  readonly calculated: Set<string>
  /** Texts that would run a command if they were evaluated. */
  readonly payloads: Set<string>
  /** Relative file names that functions use, wherever they are called. */
  readonly writtenLater: Set<string>
  /** Variables, and functions as `name()`, whose knowledge was used. */
  readonly asked: Set<string>
  /** Set if something may run after text that follows it: in a loop, a function, a trap. */
  goesBack: boolean
  /** Set if more became known about something in `asked`. */
  isStale: boolean
  /** Number of changes of the working directory. */
  moves: number
  /** Number of processed nodes and commands. */
  steps: number
  /** Number of characters of all nested scripts. */
  nestedLength: number
}

/** Includes what an earlier reading of the same command found out about its functions and variables. */
export function createNotes(earlier?: Notes): Notes {
  return {
    commands: [],
    redirects: [],
    patterns: [],
    unpacked: [],
    entered: new Set(),
    named: new Set(),
    made: new Set(),
    assignments: [],
    unclear: new Set(),
    functions: new Set(earlier?.functions),
    dubious: new Set(earlier?.dubious),
    values: new Map(earlier?.values),
    contents: new Map(earlier?.contents),
    open: new Set(earlier?.open),
    sure: new Set(),
    globbing: new Set(),
    pathVariables: new Set(),
    calculated: new Set(),
    payloads: new Set(),
    writtenLater: new Set(),
    asked: new Set(),
    goesBack: false,
    isStale: false,
    moves: 0,
    steps: 0,
    nestedLength: 0,
  }
}

export function toReading(notes: Notes): ShellReading {
  const { commands, redirects, patterns, assignments, unclear, calculated, payloads, writtenLater, moves } = notes
  const certain = new Set(
    patterns.flatMap(({ mode, pattern }) => (mode === "maybe" || mode === "joined" ? [] : [pattern])),
  )
  const sentences = [...unclear]
  const [calculation] = calculated
  const [payload] = payloads
  if (calculation !== undefined && payload !== undefined)
    sentences.push(`Calculating ${calculation} could run what ${payload} gives.`)
  if (patterns.length > 0)
    for (const name of notes.globbing) sentences.push(`The setting ${name} changes which files patterns stand for.`)
  if (moves > 0) for (const path of writtenLater) sentences.push(unknownDirectory(path))
  if (moves > 0)
    for (const name of notes.pathVariables) sentences.push(`Which directory the variable ${name} holds is not known.`)
  return {
    commands: distinct(commands, (command) => command.text),
    redirects: distinct(redirects, ({ path, mode }) => `${mode} ${path}`),
    patterns: distinct(patterns, ({ pattern, mode }) => `${mode} ${pattern}`).filter(
      ({ mode, pattern }) => mode !== "maybe" || !certain.has(pattern),
    ),
    unpacked: toUnpacked(notes),
    directories: [...notes.entered],
    named: [...notes.named],
    made: [...notes.made],
    assignments: distinct(assignments, ({ name, value }) => `${name}=${value ?? "\0"}`),
    unclear: sentences,
  }
}

export function unknownDirectory(path: string): string {
  return `The directory of the file ${excerpt(path)} is not known.`
}

function distinct<T>(values: readonly T[], key: (value: T) => string): T[] {
  const seen = new Set<string>()
  return values.filter((value) => seen.size < seen.add(key(value)).size)
}
