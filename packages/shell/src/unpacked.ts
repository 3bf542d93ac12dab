import type { ReadState } from "./call.ts"
import { type Directories, isAnchored, resolved } from "./directories.ts"
import type { Notes } from "./notes.ts"
import type { ShellCommand, ShellUnpacking } from "./reading.ts"
import { type Argument, literal } from "./words/argument.ts"
import { namesOf } from "./words/names.ts"
import { escaped, literalOf } from "./words/pattern.ts"

/** Describes what a command unpacks, by its words. */
export interface Unpacking extends Pick<ShellUnpacking, "kind"> {
  /** The archive or the patch. Absent if it is not known. */
  readonly source?: Argument | undefined
  /** Counts if there is no `source`. */
  readonly input?: CommandInput | undefined
  /** The patch itself, if the command has it as its input. */
  readonly text?: string | undefined
  /** Default: where the command runs. */
  readonly directory?: Argument | undefined
  readonly strip?: number | undefined
}

/** The file that a command reads as its input, in the directories in which the shell opens it. */
export interface CommandInput {
  readonly file: Argument
  readonly directories: Directories
}

/** An unpacking, with the number of commands and files that were noted before. */
export interface NotedUnpacking extends Omit<ShellUnpacking, "isLate"> {
  readonly at: { readonly commands: number; readonly redirects: number }
}

/** Notes that a command writes files whose names stand in an archive or a patch. */
export function noteUnpacked(program: string, unpacking: Unpacking, state: ReadState, notes: Notes): void {
  const { kind, input, text, directory = literal("."), strip } = unpacking
  const source = unpacking.source ?? input?.file
  const from = unpacking.source ? state.directories : input?.directories
  const found = source === undefined || source.value === "-" ? undefined : namesOf(source, notes)
  const into = namesOf(directory, notes)
  const places = into.names.map((name) => literalOf(name))
  const isLiteral = !into.isOpen && places.every((each) => each !== undefined)
  notes.unpacked.push({
    ...{ program, kind },
    sources: found && !found.isOpen ? found.names.flatMap((name) => patternsOf(name, from) ?? []) : [],
    directories: isLiteral ? places.flatMap((path) => resolved(path ?? ".", state.directories) ?? []) : [],
    ...(text === undefined ? {} : { text }),
    ...(strip === undefined ? {} : { strip }),
    at: { commands: notes.commands.length, redirects: notes.redirects.length },
  })
}

function patternsOf(name: string, directories: Directories): readonly string[] | undefined {
  const places = isAnchored(name) ? ["."] : directories?.map(escaped)
  return places && resolved(name, places)
}

/** Commands that make no archive and no patch, if their output goes nowhere. */
const HARMLESS = new Set(
  "cd chdir pushd popd mkdir ls echo printf test [ : true set export pwd basename dirname head wc".split(" "),
)

/** Returns what is unpacked. It counts as late if a command before it may have made the archive or the patch. */
export function toUnpacked({ unpacked, commands, redirects, goesBack }: Notes): ShellUnpacking[] {
  return unpacked.map(({ at, ...unpacking }) => {
    const own = withWrappers(commands, at.commands - 1)
    const before = (goesBack ? commands : commands.slice(0, at.commands)).filter((each) => !own.has(each))
    const written = (goesBack ? redirects : redirects.slice(0, at.redirects)).filter(({ mode }) => mode === "write")
    const isOther = ({ words: [name = ""] }: ShellCommand) => !HARMLESS.has(name)
    const isMade = unpacking.sources.some((source) => written.some(({ path }) => mayHold(path, source)))
    return { ...unpacking, isLate: before.some(isOther) || isMade }
  })
}

/** Entries that say the same of a command in other words stand behind it. */
const SAME = new Set(["path", "assignment", "braces"])

/** Returns the entry of a command, and those of the wrappers that run it. */
function withWrappers(commands: readonly ShellCommand[], from: number): ReadonlySet<ShellCommand> {
  const own = new Set<ShellCommand>()
  for (let at = from; at >= 0;) {
    const command = commands[at]
    if (!command) break
    own.add(command)
    const { via } = command
    if (via === undefined) break
    const isWrapper = ({ words: [name = ""] }: ShellCommand) => name.split("/").at(-1) === via
    at = SAME.has(via) ? at - 1 : commands.slice(0, at).findLastIndex(isWrapper)
  }
  return own
}

/** Returns whether a written path may be the source, or a directory above it. */
function mayHold(path: string, source: string): boolean {
  const [start = source] = /^(?:[^*?[\]\\\ue003]|\\.)*/s.exec(source) ?? []
  const end = literalOf(source) ?? source.slice(source.search(/[^*?[\]\\\ue003]*$/))
  return path === "." || path.endsWith(end) || start.startsWith(`${path.replace(/\/+$/, "")}/`)
}
