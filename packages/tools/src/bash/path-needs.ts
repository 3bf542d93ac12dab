import { statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, resolve } from "node:path"
import type { PermissionNeed, ToolLocation } from "@pawl/core/tool"
import type { ShellPattern } from "@pawl/shell"
import { displayName } from "../display-name.ts"
import { createOnce, type Once } from "../once.ts"
import { isWithin, realTarget, systemPath } from "../paths.ts"
import { hooksDirectory } from "../protected/git-places.ts"
import { trackedFiles } from "../protected/tracked-files.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { createExpansion, type Expansion } from "./file-patterns.ts"
import { isProtected, mayBeProtected } from "../protected/is-protected.ts"
import { createListings, isListing, nameTests, shownPattern } from "./listed-files.ts"

export interface NamedPath {
  readonly path: string
  readonly isWritten: boolean
  /** Set if the word may not be a path. It counts only if it exists and lies outside of the project. */
  readonly isGuess?: boolean
  /** Set if a guess also counts when only its parent directory exists, because the command may create it. */
  readonly mayBeMade?: boolean
}

export interface PathContext extends ToolLocation {
  /** Absolute directory where the command starts. */
  readonly cwd: string
  readonly paths: ToolPaths
  /** Default: the home directory of this process. */
  readonly home?: string
}

export interface Judge {
  readonly context: PathContext
  readonly once: Once
  readonly expansion: Expansion
  readonly listed: ReturnType<typeof createListings>
}

/** Creates the state for checking the paths of one command. */
export function createJudge(context: PathContext): Judge {
  const once = createOnce()
  const expansion = createExpansion(once)
  return { context, once, expansion, listed: createListings(expansion) }
}

export interface Judged {
  readonly needs: readonly PermissionNeed[]
  /** Set if the affected files cannot be determined. */
  readonly unclear?: string
}

/** Returns the permissions for touching a path; with `edit` if it is written. */
export async function pathNeeds(
  { path, isWritten, isGuess, mayBeMade }: NamedPath,
  { context, once }: Judge,
): Promise<Judged> {
  const [start, way] = startOf(path, context)
  if (isGuess === true && !(await isThere(start, way, mayBeMade === true, once))) return { needs: [] }
  try {
    const system = await systemPath(start, way, once)
    return { needs: await context.paths.needs({}, system, context, isWritten ? "edit" : undefined, once) }
  } catch (error) {
    return {
      needs: [],
      unclear: error instanceof Error ? error.message : `Where ${displayName(path)} leads is not known.`,
    }
  }
}

/** Returns the directory in which a path of a reading begins, and the rest of it. */
export function startOf(path: string, context: PathContext): readonly [start: string, way: string] {
  return /^~(?:\/|$)/.test(path) ? [homeOf(context), `.${path.slice(1)}`] : [context.cwd, path]
}

export function homeOf({ home = homedir() }: PathContext): string {
  return home
}

/** Maximum number of files that one pattern may write; asking about more is not practical. */
const MAX_WRITTEN = 200

/**
 * Returns the permissions for the files of a pattern: for each file if it writes them, otherwise for those that may lie
 * outside of the project.
 */
export async function patternNeeds({ pattern, mode }: ShellPattern, judge: Judge): Promise<Judged> {
  const [start, way] = startOf(pattern, judge.context)
  const home = start === judge.context.cwd ? "" : "~/"
  const isWritten = mode === "write" || mode === "within"
  if (mode === "made" || mode === "joined") return madeNeeds(way, mode)
  if (mode === "source") return sourceNeeds(start, way, judge)
  if (mode === "restore" || mode === "replace") return restoredNeeds(start, way, mode, judge)
  if (isListing(pattern)) return listingNeeds(start, way, mode, judge)
  const names = namesFor(mode, start, way, judge.expansion)
  if (!names || (mode === "write" && names.length > MAX_WRITTEN))
    return { needs: [], unclear: `The pattern ${displayName(pattern)} stands for too many files.` }
  const judged = await Promise.all(names.map((path) => pathNeeds({ path: home + path, isWritten }, judge)))
  const all = judged.flatMap(({ needs }) => needs)
  // If nothing matches, the pattern itself may name a new file that is protected or outside of the project.
  const isEdit = mode === "write" && (judge.expansion.expand(start, way)?.length ?? 0) > 0
  const edits = isEdit ? all.filter(({ permission }) => permission === "edit") : []
  const patterns = [...new Set(edits.flatMap((need) => need.patterns))]
  const unclear = judged.find((each) => each.unclear !== undefined)?.unclear
  return {
    needs: [...all.filter(({ permission }) => permission !== "edit"), ...(edits[0] ? [{ ...edits[0], patterns }] : [])],
    ...(unclear !== undefined && { unclear }),
  }
}

/** The name is built at run time, so only its text can be checked. */
function madeNeeds(pattern: string, mode: "made" | "joined"): Judged {
  if (!mayBeProtected(nameTests(pattern), mode === "joined")) return { needs: [] }
  return { needs: [], unclear: `A name like ${displayName(shownPattern(pattern))} may be that of a protected file.` }
}

/** Returns the permissions for protected files among the tracked files below a path; `/` means the whole worktree. */
async function restoredNeeds(start: string, way: string, mode: "restore" | "replace", judge: Judge): Promise<Judged> {
  const { context, once } = judge
  const worktree = await realTarget(context.worktree, once)
  const path = way.replaceAll(/\\(.)/gs, "$1")
  const below = path === "/" ? worktree : await realTarget(resolve(start, path), once)
  const hooks = await once(`hooks ${worktree}`, () => hooksDirectory(worktree))
  const isChosen = (name: string) => {
    const file = join(worktree, name)
    return isWithin(below, file) && (isProtected(name) || (hooks !== undefined && isWithin(hooks, file)))
  }
  try {
    const files = await trackedFiles(worktree, { isChosen, isChanged: mode === "restore" })
    const judged = await Promise.all(files.map((file) => pathNeeds({ path: file, isWritten: true }, judge)))
    return { needs: judged.flatMap(({ needs }) => needs) }
  } catch {
    return { needs: [], unclear: "Which tracked files git would write is not known." }
  }
}

/**
 * Detects names such as `pawl.json.bak`, which a command may turn into a protected name. Hidden names are checked by
 * their full text.
 */
function beginsProtected(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return (
    !name.startsWith(".") && Array.from(name.matchAll(/[.~_-]/g)).some(({ index }) => isProtected(name.slice(0, index)))
  )
}

/** Finds protected files among the sources of a copy, whose names the written files get. */
function sourceNeeds(start: string, way: string, { expansion, listed }: Judge): Judged {
  const files = isListing(way) ? listed(start, way, true) : expansion.expand(start, way)
  if (!files) return { needs: [], unclear: `The pattern ${displayName(shownPattern(way))} stands for too many files.` }
  const front = /^[^*?[\]\\\ue003]*\//.exec(way)?.[0].length ?? 0
  const found = files.find(({ path }) => isProtected(path.slice(front)) || beginsProtected(path))
  return { needs: [], ...(found && { unclear: `A file called like ${displayName(found.path)} may be written.` }) }
}

/** Returns the permissions for what a listing prints, except `edit`, which is asked for the directory. */
async function listingNeeds(start: string, way: string, mode: ShellPattern["mode"], judge: Judge): Promise<Judged> {
  const isWritten = mode === "write" || mode === "within"
  const worktree = await realTarget(judge.context.worktree, judge.once)
  const hooks = isWritten ? await judge.once(`hooks ${worktree}`, () => hooksDirectory(worktree)) : undefined
  const files = judge.listed(start, way, isWritten, hooks)
  if (!files) return { needs: [], unclear: "A listing holds too many files to tell where all of them lead." }
  const home = start === judge.context.cwd ? "" : `${start}/`
  const judged = await Promise.all(
    files.map(({ path, isGuess }) =>
      pathNeeds({ path: isAbsolute(path) ? path : home + path, isWritten, isGuess, mayBeMade: isWritten }, judge),
    ),
  )
  const unclear = judged.find((each) => each.unclear !== undefined)?.unclear
  return {
    needs: judged
      .flatMap(({ needs }) => needs)
      // Removing below a directory removes a link itself, not its target.
      .filter(({ permission }) => permission === "protected_file" || (mode !== "within" && permission !== "edit")),
    ...(unclear !== undefined && { unclear }),
  }
}

/** Returns the names to check; undefined if there are too many. */
function namesFor(
  mode: ShellPattern["mode"],
  start: string,
  way: string,
  { expand, linksBelow }: Expansion,
): readonly string[] | undefined {
  const matches = expand(start, way)
  if (mode === "follow") {
    const links = matches?.map(({ path }) => linksBelow(start, path))
    return links?.every((each) => each !== undefined) === true ? links.flat() : undefined
  }
  if (matches?.length === 0 && mode !== "maybe" && mode !== "within") return [way.replaceAll(/\\(.)/gs, "$1")]
  const isWritten = mode === "write" || mode === "within"
  return matches?.flatMap(({ path, isPlain }) => (isWritten || !isPlain ? [path] : []))
}

/**
 * Invalid or unreachable paths count as missing. `/` counts as missing because texts begin with it more often than
 * paths.
 */
async function isThere(start: string, way: string, mayBeMade: boolean, once: Once): Promise<boolean> {
  try {
    const path = await systemPath(start, way, once)
    if (statSync(path, { throwIfNoEntry: false })) return true
    const directory = dirname(path)
    return (
      mayBeMade &&
      directory !== dirname(directory) &&
      statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true
    )
  } catch {
    return false
  }
}
