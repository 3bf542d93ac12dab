import { homedir } from "node:os"
import { resolve } from "node:path"
import type { PermissionNeed, ToolPlace } from "@pawl/core"
import { createShellReader, type ShellReading } from "@pawl/shell"
import { createOnce } from "../once.ts"
import { systemPath } from "../paths.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { isHarmless } from "./harmless-assignment.ts"

/** What a command asks for, before it is known where its paths lead. */
export interface CommandJudgement {
  /** The need of `bash`, whose patterns are the commands as the shell would run them. */
  readonly bash: PermissionNeed
  /** What it writes, reads by redirection, and changes to: relative to where it starts, or absolute, or below `~/`. */
  readonly paths: readonly NamedPath[]
}

export interface NamedPath {
  readonly path: string
  readonly isWritten: boolean
}

export interface CommandPlace extends ToolPlace {
  /** Where the command starts; absolute. */
  readonly cwd: string
  readonly paths: ToolPaths
  /** Default: the home directory of this process. */
  readonly home?: string
}

const MOVES = new Set(["cd", "chdir", "pushd", "popd"])

/** The needs of running `command`: first those of the files that it names, then of its commands. */
export async function commandNeeds(command: string, place: CommandPlace): Promise<readonly PermissionNeed[]> {
  const { cwd, paths, home = homedir() } = place
  const { bash, paths: named } = needsOf(command, (await createShellReader()).read(command))
  const once = createOnce()
  const needs = await Promise.all(
    distinctPaths(named).map(async ({ path, isWritten }) => {
      const [start, way] = /^~(?:\/|$)/.test(path) ? [home, `.${path.slice(1)}`] : [cwd, path]
      return paths.needs({}, await systemPath(start, way, once), place, isWritten ? "edit" : undefined, once)
    }),
  )
  // Where it starts elsewhere than usual, the same words do something else.
  const isMoved = cwd !== resolve(place.directory)
  return [...distinct(needs.flat()), isMoved ? { ...bash, metadata: { cwd } } : bash]
}

/**
 * What has to be allowed for a reading: every command in it, but for changes of directory next to others, which only
 * matter by where they lead. What is not understood, and assignments that change what commands mean, make it unclear.
 */
export function needsOf(command: string, reading: ShellReading): CommandJudgement {
  const { commands, redirects, directories, assignments } = reading
  const others = commands.filter(({ words: [name = ""] }) => !MOVES.has(name))
  const texts = (others.length > 0 ? others : commands).map(({ text }) => text)
  const changing = assignments.filter((assignment) => !isHarmless(assignment))
  const unclear = [
    ...reading.unclear,
    ...changing.map(({ name }) => `It sets ${name}, which changes what commands mean.`),
    ...(commands.length === 0 && redirects.length === 0 ? ["There is no command in it."] : []),
  ]
  const bash = {
    permission: "bash",
    patterns: texts.length > 0 ? [...new Set(texts)] : [command.trim()],
    ...(unclear.length > 0 && { unclear: [...new Set(unclear)].join(" ") }),
  }
  const named = redirects.map(({ path, mode }) => ({ path, isWritten: mode === "write" }))
  return { bash, paths: [...directories.map((path) => ({ path, isWritten: false })), ...named] }
}

/** Each once: where a path is written, that says more than that it is read. */
function distinctPaths(named: readonly NamedPath[]): readonly NamedPath[] {
  const written = new Set(named.filter(({ isWritten }) => isWritten).map(({ path }) => path))
  return [...new Set(named.map(({ path }) => path))].map((path) => ({ path, isWritten: written.has(path) }))
}

function distinct(needs: readonly PermissionNeed[]): readonly PermissionNeed[] {
  const known = new Map(needs.map((need) => [JSON.stringify([need.permission, need.patterns]), need]))
  return [...known.values()]
}
