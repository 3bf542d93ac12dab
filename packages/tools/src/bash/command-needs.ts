import { resolve } from "node:path"
import type { PermissionNeed } from "@pawl/core/tool"
import { createShellReader, type ShellReading } from "@pawl/shell"
import { realTarget } from "../paths.ts"
import type { Shell } from "./find-shell.ts"
import { isHarmless } from "./harmless-assignment.ts"
import { createJudge, homeOf, type NamedPath, pathNeeds, type PathContext, patternNeeds } from "./path-needs.ts"
import { CHANGES_DIRECTORY, isReading } from "./read-only/is-reading.ts"
import { unpackNeeds } from "./unpacked/unpack-needs.ts"

/** The permissions of a command before its paths are resolved. */
export interface CommandJudgement {
  /** The patterns are the commands as the shell would run them. */
  readonly bash: PermissionNeed
  /** Paths that the command writes, reads, changes to or mentions: relative to its start, absolute, or below `~/`. */
  readonly paths: readonly NamedPath[]
}

export interface CommandContext extends PathContext {
  /** The shell that runs the command. Default: bash. */
  readonly shell?: Pick<Shell, "name">
}

/** Returns the permissions that `command` needs: first for its files, then for its commands. */
export async function commandNeeds(command: string, context: CommandContext): Promise<readonly PermissionNeed[]> {
  const { cwd } = context
  const reading = (await createShellReader()).read(command)
  const { bash, paths: named } = needsOf(command, reading, context.shell)
  const judge = createJudge(context)
  const found = await Promise.all([
    ...distinctPaths(named).map((each) => pathNeeds(each, judge)),
    ...reading.patterns.map((each) => patternNeeds(each, judge)),
    ...reading.unpacked.map((each) => unpackNeeds(each, judge)),
  ])
  // In another directory the same words may do something else.
  const isMoved = cwd !== resolve(context.directory)
  const where = { directory: await realTarget(cwd, judge.once), ...(isMoved && { metadata: { cwd } }) }
  const sentences = [bash.unclear, ...found.map(({ unclear }) => unclear)].filter((sentence) => sentence !== undefined)
  const unclear = sentences.length > 0 && { unclear: [...new Set(sentences)].join(" ") }
  const onlyReads = sentences.length === 0 && isReading(reading, { cwd, home: homeOf(context) })
  const more = { ...unclear, ...(onlyReads && { onlyReads }), ...(isMoving(reading, cwd) && { always: [] }) }
  return [...distinct(found.flatMap(({ needs }) => needs)), { ...bash, ...where, ...more }]
}

/**
 * Returns true if some commands run in another directory than the start, so that their words alone do not say what they
 * do.
 */
function isMoving({ commands, directories }: ShellReading, cwd: string): boolean {
  const moves = commands.filter(({ words: [name = ""] }) => CHANGES_DIRECTORY.has(name))
  if (moves.length === commands.length) return false
  return [...moves.map(({ words }) => words.slice(1).join(" ")), ...directories].some((path) => path !== cwd)
}

/**
 * Builds the `bash` need: a pattern for every command, except changes of directory beside other commands. Unparsed
 * text, assignments that change what commands mean, and a shell other than bash make the command unclear.
 */
export function needsOf(
  command: string,
  reading: ShellReading,
  { name }: Pick<Shell, "name"> = { name: "bash" },
): CommandJudgement {
  const { commands, redirects, named: words, made, directories, assignments } = reading
  const others = commands.filter(({ words: [name = ""] }) => !CHANGES_DIRECTORY.has(name))
  const texts = (others.length > 0 ? others : commands).map(({ text }) => text)
  const changing = assignments.filter((assignment) => !isHarmless(assignment))
  const unclear = [
    ...reading.unclear,
    ...changing.map(({ name }) => `It sets ${name}, which changes what commands mean.`),
    ...(name === "bash" ? [] : [`It is read by ${name}, and was judged as bash would read it.`]),
    ...(commands.length === 0 && redirects.length === 0 ? ["There is no command in it."] : []),
  ]
  const bash = {
    permission: "bash",
    patterns: texts.length > 0 ? [...new Set(texts)] : [command.trim()],
    ...(unclear.length > 0 && { unclear: [...new Set(unclear)].join(" ") }),
  }
  const named = redirects.map(({ path, mode }) => ({ path, isWritten: mode === "write" }))
  const makes = new Set(made)
  const guessed = words.map((path) => ({ path, isWritten: false, isGuess: true, mayBeMade: makes.has(path) }))
  return { bash, paths: [...directories.map((path) => ({ path, isWritten: false })), ...named, ...guessed] }
}

/** Returns each path once, with its most important entry: written before read before guessed. */
function distinctPaths(named: readonly NamedPath[]): readonly NamedPath[] {
  const weight = ({ isWritten, isGuess, mayBeMade }: NamedPath) => {
    if (isGuess !== true) return isWritten ? 3 : 2
    return mayBeMade === true ? 1 : 0
  }
  const strongest = new Map(named.toSorted((a, b) => weight(a) - weight(b)).map((one) => [one.path, one]))
  return [...new Set(named.map(({ path }) => path))].flatMap((path) => strongest.get(path) ?? [])
}

function distinct(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const known = new Map(needs.map((need) => [JSON.stringify([need.permission, need.patterns]), need]))
  return [...known.values()]
}
