import type { ShellAssignment, ShellCommand, ShellPattern, ShellReading, ShellRedirect } from "./reading.ts"
import type { Argument } from "./words/argument.ts"
import { type NotedUnpacking, toUnpacked } from "./unpacked.ts"
import { excerpt } from "./words/quote.ts"

/** What is found while a command is read. */
export interface Notes {
  readonly commands: ShellCommand[]
  readonly redirects: ShellRedirect[]
  readonly patterns: ShellPattern[]
  readonly unpacked: NotedUnpacking[]
  /** Those that it changes to. */
  readonly entered: Set<string>
  /** Words of programs that may be paths. */
  readonly named: Set<string>
  /** Those of them that it may make. */
  readonly made: Set<string>
  readonly assignments: ShellAssignment[]
  readonly unclear: Set<string>
  /** Functions that the command defines. */
  readonly functions: Set<string>
  /** Variables that the command gives values which could be taken for options; `@` for the positional parameters. */
  readonly dubious: Set<string>
  /** The literal values that the command gives to variables; `@` as above. */
  readonly values: Map<string, Set<string>>
  /** The words that the command gives to variables, each once by its text; `@` as above. */
  readonly contents: Map<string, Map<string, Argument>>
  /** Variables, and `@`, that get a value from elsewhere, or one that is put together. */
  readonly open: Set<string>
  /** Variables that have got a value for sure, or are a loop's. */
  readonly sure: Set<string>
  /** Settings that change which names patterns stand for. */
  readonly globbing: Set<string>
  /** Variables that hold the working directory of where they got their value, and name a file. */
  readonly keptPlaces: Set<string>
  /** Where a variable is calculated with: its value would be evaluated, and may hold a substitution. */
  readonly calculated: Set<string>
  /** Texts that would run a command if they were evaluated. */
  readonly payloads: Set<string>
  /** Files with relative names that functions read or write, wherever they are called. */
  readonly writtenLater: Set<string>
  /** Variables, and functions as `name()`, that it mattered for what is known of them. */
  readonly asked: Set<string>
  /** Whether something may run after what is written behind it: in a loop, in a function, in a trap. */
  goesBack: boolean
  /** Whether more became known of what had been asked. */
  isStale: boolean
  /** How often the working directory changes. */
  moves: number
  /** How many nodes and commands have been looked at. */
  steps: number
  /** How many characters nested scripts have, all together. */
  nestedLength: number
}

/** With what an earlier reading of the same command has learned of its functions and variables. */
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
    keptPlaces: new Set(),
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
    for (const name of notes.keptPlaces) sentences.push(`Which directory the variable ${name} holds is not known.`)
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
