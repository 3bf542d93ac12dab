import { isAbsolute, relative, sep } from "node:path"
import { UsageError } from "@pawl/config/usage-error"
import type { ContentLocation, ProjectContent } from "./project-content.ts"
import type { TrustEntry } from "./trust-store.ts"

/** Value of `--trust`: a prefix of the hash, or true without a value. */
export type TrustFlag = string | true

/** `nothing`: the project supplies nothing that has to be trusted. `changed`: something else was trusted here before. */
export interface TrustState {
  readonly state: "trusted" | "untrusted" | "changed" | "nothing"
  readonly content: ProjectContent
  /** Paths that were added, altered or removed since. */
  readonly changed?: readonly string[]
}

export interface TrustSources {
  readonly content: ProjectContent
  readonly entries: readonly TrustEntry[]
  readonly flag?: TrustFlag | undefined
}

const MIN_HASH_LENGTH = 8

/** Returns whether the project is trusted. Throws UsageError for an invalid flag. */
export function trustOf({ content, entries, flag }: TrustSources): TrustState {
  if (flag !== undefined) checkFlag(content, flag)
  if (content.files.length === 0 && content.problem === undefined) return { state: "nothing", content }
  if (content.problem !== undefined) return { state: "untrusted", content }
  if (flag !== undefined) return { state: "trusted", content }
  if (trustingEntry(content, entries)) return { state: "trusted", content }
  const [last] = nearEntries(content, entries)
  return last ? { state: "changed", content, changed: changedPaths(content, last) } : { state: "untrusted", content }
}

/** The entry by which this content is trusted in its place or an origin; the same content elsewhere is another project's. */
export function trustingEntry(content: Pick<ProjectContent, "hash"> & Places, entries: readonly TrustEntry[]) {
  return nearEntries(content, entries).find(({ hash }) => hash === content.hash)
}

type Places = ContentLocation & Pick<ProjectContent, "origins">

/** The nearest first. */
function nearEntries({ origins = [], ...place }: Places, entries: readonly TrustEntry[]): TrustEntry[] {
  return [place, ...origins].flatMap((each) => {
    const near = entries.filter(({ directory }) => isBetween(directory, each))
    return near.toSorted((a, b) => b.directory.length - a.directory.length)
  })
}

function checkFlag({ hash, problem, worktree }: ProjectContent, flag: TrustFlag): void {
  if (problem !== undefined) {
    throw new UsageError(`What ${worktree} supplies cannot be trusted: ${problem}`, "Go on without --trust.")
  }
  if (flag === true) return
  if (!/^[\da-f]{1,64}$/i.test(flag) || flag.length < MIN_HASH_LENGTH) {
    throw new UsageError(
      `invalid hash "${flag}" for --trust: expected at least ${MIN_HASH_LENGTH} hexadecimal digits`,
      SEE,
    )
  }
  if (hash.startsWith(flag.toLowerCase())) return
  throw new UsageError(`--trust=${flag} is not what ${worktree} supplies now: its hash is ${hash}.`, SEE)
}

const SEE = "What it would do: pawl trust"

/** Returns true if the directory is between the work tree's root and the working directory. */
export function isBetween(directory: string, place: ContentLocation): boolean {
  return isBelow(directory, place.worktree) && isBelow(place.directory, directory)
}

/** Also for the directory itself. */
function isBelow(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below.split(sep)[0] !== ".." && !isAbsolute(below)
}

function changedPaths({ files }: ProjectContent, { files: before }: TrustEntry): string[] {
  const now = new Map(files.map(({ path, hash, link = "" }) => [path, `${hash}${link}`]))
  const paths = new Set([...now.keys(), ...Object.keys(before)])
  return [...paths].filter((path) => now.get(path) !== before[path]).toSorted()
}
