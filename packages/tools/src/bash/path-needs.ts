import { statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, resolve } from "node:path"
import type { PermissionNeed, ToolPlace } from "@pawl/core"
import type { ShellPattern } from "@pawl/shell"
import { displayName } from "../display-name.ts"
import { createOnce, type Once } from "../once.ts"
import { isWithin, realTarget, systemPath } from "../paths.ts"
import { hooksPlace } from "../protected/git-places.ts"
import { trackedFiles } from "../protected/tracked-files.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { createExpansion, type Expansion } from "./file-patterns.ts"
import { isProtected, mayBeProtected } from "../protected/is-protected.ts"
import { createListings, isListing, nameTests, shownPattern } from "./listed-files.ts"

export interface NamedPath {
  readonly path: string
  readonly isWritten: boolean
  /** It may be no path at all: only counts where there is something that lies outside. */
  readonly isGuess?: boolean
  /** Such a guess also counts where only the directory is there that it would be made in. */
  readonly mayBeMade?: boolean
}

export interface PathPlace extends ToolPlace {
  /** Where the command starts; absolute. */
  readonly cwd: string
  readonly paths: ToolPaths
  /** Default: the home directory of this process. */
  readonly home?: string
}

export interface Judge {
  readonly place: PathPlace
  readonly once: Once
  readonly expansion: Expansion
  readonly listed: ReturnType<typeof createListings>
}

/** Judges the paths of one command. */
export function createJudge(place: PathPlace): Judge {
  const once = createOnce()
  const expansion = createExpansion(once)
  return { place, once, expansion, listed: createListings(expansion) }
}

export interface Judged {
  readonly needs: readonly PermissionNeed[]
  /** Set where it cannot be told which files are meant. */
  readonly unclear?: string
}

/** The needs of touching a path, with `edit` where it is written. */
export async function pathNeeds(
  { path, isWritten, isGuess, mayBeMade }: NamedPath,
  { place, once }: Judge,
): Promise<Judged> {
  const [start, way] = startOf(path, place)
  if (isGuess === true && !(await isThere(start, way, mayBeMade === true, once))) return { needs: [] }
  try {
    const system = await systemPath(start, way, once)
    return { needs: await place.paths.needs({}, system, place, isWritten ? "edit" : undefined, once) }
  } catch (error) {
    return {
      needs: [],
      unclear: error instanceof Error ? error.message : `Where ${displayName(path)} leads is not known.`,
    }
  }
}

/** Returns the directory in which a path of a reading begins, and the rest of it. */
export function startOf(path: string, place: PathPlace): readonly [start: string, way: string] {
  return /^~(?:\/|$)/.test(path) ? [homeOf(place), `.${path.slice(1)}`] : [place.cwd, path]
}

/** The home directory that `~` stands for. */
export function homeOf({ home = homedir() }: PathPlace): string {
  return home
}

/** More files that one pattern writes are too many to be asked about. */
const MAX_WRITTEN = 200

/** The needs of the files that a pattern stands for: where it writes, of each; else of those that may lie outside. */
export async function patternNeeds({ pattern, mode }: ShellPattern, judge: Judge): Promise<Judged> {
  const [start, way] = startOf(pattern, judge.place)
  const home = start === judge.place.cwd ? "" : "~/"
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
  // What fits nothing is of interest where it is protected or lies outside, and what may be written among others as well.
  const isEdit = mode === "write" && (judge.expansion.expand(start, way)?.length ?? 0) > 0
  const edits = isEdit ? all.filter(({ permission }) => permission === "edit") : []
  const patterns = [...new Set(edits.flatMap((need) => need.patterns))]
  const unclear = judged.find((each) => each.unclear !== undefined)?.unclear
  return {
    needs: [...all.filter(({ permission }) => permission !== "edit"), ...(edits[0] ? [{ ...edits[0], patterns }] : [])],
    ...(unclear !== undefined && { unclear }),
  }
}

/** Text alone tells what a name may be that is put together. */
function madeNeeds(pattern: string, mode: "made" | "joined"): Judged {
  if (!mayBeProtected(nameTests(pattern), mode === "joined")) return { needs: [] }
  return { needs: [], unclear: `A name like ${displayName(shownPattern(pattern))} may be that of a protected file.` }
}

/** The needs of the protected files among the tracked ones below a path; of all in the worktree for `/`. */
async function restoredNeeds(start: string, way: string, mode: "restore" | "replace", judge: Judge): Promise<Judged> {
  const { place, once } = judge
  const worktree = await realTarget(place.worktree, once)
  const path = way.replaceAll(/\\(.)/gs, "$1")
  const below = path === "/" ? worktree : await realTarget(resolve(start, path), once)
  const hooks = await once(`hooks ${worktree}`, () => hooksPlace(worktree))
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

/** With its end cut off, a name like `pawl.json.bak` is protected. Of hidden names the text alone tells it. */
function beginsProtected(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return (
    !name.startsWith(".") && Array.from(name.matchAll(/[.~_-]/g)).some(({ index }) => isProtected(name.slice(0, index)))
  )
}

/** Protected files among those whose names are those of written ones, maybe in another directory. */
function sourceNeeds(start: string, way: string, { expansion, listed }: Judge): Judged {
  const files = isListing(way) ? listed(start, way, true) : expansion.expand(start, way)
  if (!files) return { needs: [], unclear: `The pattern ${displayName(shownPattern(way))} stands for too many files.` }
  const front = /^[^*?[\]\\\ue003]*\//.exec(way)?.[0].length ?? 0
  const found = files.find(({ path }) => isProtected(path.slice(front)) || beginsProtected(path))
  return { needs: [], ...(found && { unclear: `A file called like ${displayName(found.path)} may be written.` }) }
}

/** The needs of what a listing puts out, but for `edit`: that is asked for the directory. */
async function listingNeeds(start: string, way: string, mode: ShellPattern["mode"], judge: Judge): Promise<Judged> {
  const isWritten = mode === "write" || mode === "within"
  const worktree = await realTarget(judge.place.worktree, judge.once)
  const hooks = isWritten ? await judge.once(`hooks ${worktree}`, () => hooksPlace(worktree)) : undefined
  const files = judge.listed(start, way, isWritten, hooks)
  if (!files) return { needs: [], unclear: "A listing holds too many files to tell where all of them lead." }
  const home = start === judge.place.cwd ? "" : `${start}/`
  const judged = await Promise.all(
    files.map(({ path, isGuess }) =>
      pathNeeds({ path: isAbsolute(path) ? path : home + path, isWritten, isGuess, mayBeMade: isWritten }, judge),
    ),
  )
  const unclear = judged.find((each) => each.unclear !== undefined)?.unclear
  return {
    needs: judged
      .flatMap(({ needs }) => needs)
      // What is removed within a directory is no more than a link there.
      .filter(({ permission }) => permission === "protected_file" || (mode !== "within" && permission !== "edit")),
    ...(unclear !== undefined && { unclear }),
  }
}

/** The names that have to be judged; undefined where there are too many to tell. */
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

/** What cannot be a path, or cannot be reached, is not there. The top of all is where texts begin more often than files. */
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
