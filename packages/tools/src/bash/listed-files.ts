import { resolve } from "node:path"
import { BELOW } from "@pawl/shell"
import { isProtected, type NameTest } from "../protected/is-protected.ts"
import { readEntries } from "../read-entries.ts"
import type { Expansion } from "./file-patterns.ts"
import { nameMatcher } from "./name-matcher.ts"

/** Entries that the listings of one command are looked for among. */
const MAX_ENTRIES = 200_000
/** Files that one listing is judged by. */
const MAX_LISTED = 2000

/** A path that a listing may put out, and that may lead elsewhere or is protected. */
export interface ListedFile {
  readonly path: string
  /** Only a part of a name, or what that stands for as a pattern. */
  readonly isGuess: boolean
}

interface Listing {
  /** The directories that it is looked for below, a pattern with a slash at its end; empty for where the command starts. */
  readonly front: string
  readonly fits: (name: string) => boolean
  /** All below a protected directory fits as well. */
  readonly isWide: boolean
  readonly flags: string
  /** What follows each path. */
  readonly rest: string
}

/** Returns whether the pattern holds a listing of what is below a directory. */
export function isListing(pattern: string): boolean {
  return pattern.includes(BELOW)
}

/** The pattern of the last names that a listing puts out; with a dot in front, for hidden ones as well. */
export function listedName(pattern: string): string {
  const behind = pattern.slice(pattern.lastIndexOf(BELOW) + 1)
  return `.${behind.slice(behind.lastIndexOf("/") + 1)}`
}

/** The pattern with a star for each listing. */
export function shownPattern(pattern: string): string {
  return pattern.replaceAll(LISTING, "")
}

const LISTING = /\ue003[^\ue003]*\ue003/g
const ANY = "\u0001"

/** Tests of the names in a pattern, in lower case; those that a listing puts out may be hidden. */
export function nameTests(pattern: string): readonly NameTest[] {
  return pattern
    .toLowerCase()
    .replaceAll(LISTING, `${ANY}/${ANY}`)
    .split("/")
    .filter((name) => name !== ANY)
    .map((name) => {
      const isListed = name.includes(ANY)
      const plain = name.endsWith(ANY) ? name.replace(ANY, "*") : name.replaceAll(ANY, "")
      const matches = nameMatcher(isListed ? `.${plain}` : plain)
      return { fits: (each) => matches(isListed ? `.${each}` : each), isAny: name === "*" }
    })
}

/** Looks up what listings put out, for one judgement. */
export function createListings({ expand }: Expansion) {
  let left = MAX_ENTRIES

  /**
   * The paths of a listing that matter: links, protected files if they are written, and those that are other words where they are
   * split or read as patterns. Undefined if there is too much to look at.
   */
  return (start: string, pattern: string, isWritten: boolean, hooks?: string): readonly ListedFile[] | undefined => {
    const listing = listingOf(pattern)
    const roots = listing?.front === "" ? [{ path: "" }] : listing && expand(start, listing.front)
    if (!listing || !roots) return undefined
    const { flags, rest } = listing
    const found: ListedFile[] = []
    const note = (path: string, isGuess = false) => void found.push({ path, isGuess })
    const open = roots.map(({ path }) => path)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const entries = readEntries(next.startsWith("/") ? next : `${start}/${next}`)
      left -= entries.length
      if (left <= 0 || found.length > MAX_LISTED) return undefined
      for (const entry of entries) {
        if ((flags.includes("g") && entry.name === ".git") || (flags.includes("v") && entry.name.startsWith(".")))
          continue
        const path = next + entry.name
        const isGuarded =
          isWritten && (isProtected(path + rest) || hooks === resolve(start, path) || hooks === resolve(start, next))
        if (entry.isDirectory() && !flags.includes("1") && !(isGuarded && listing.isWide)) open.push(`${path}/`)
        if (!listing.fits(entry.name) || (flags.includes("f") && !entry.isFile() && !(isGuarded && listing.isWide)))
          continue
        if (rest.startsWith("/")) {
          if (entry.isDirectory() || entry.isSymbolicLink()) for (const each of ways(start, path, rest)) note(each)
        } else if (isGuarded || entry.isSymbolicLink()) note(path + rest)
        for (const piece of piecesOf(path)) note(piece, true)
        for (const each of /[*?[]/.test(entry.name) ? (expand(start, path) ?? []) : []) note(each.path, true)
      }
    }
    return found.length > MAX_LISTED ? undefined : found
  }

  function ways(start: string, path: string, rest: string): readonly string[] {
    const found = expand(start, path.replaceAll(/[*?[\]\\]/g, String.raw`\$&`) + rest) ?? []
    return found.length > 0 ? found.map((each) => each.path) : [path + rest.replaceAll(/\\(.)/gs, "$1")]
  }
}

/** Undefined if it holds several. */
function listingOf(pattern: string): Listing | undefined {
  const [before = "", flags = "", behind = "", ...others] = pattern.split(BELOW)
  if (others.length > 0) return undefined
  const front = before.slice(0, before.lastIndexOf("/") + 1)
  const end = behind.indexOf("/")
  const name = end < 0 ? behind : behind.slice(0, end)
  // Behind a beginning it is any name, and hidden ones have no dot of their own.
  const matches = nameMatcher(front === before ? `.${name}` : ".*")
  const isVisible = (each: string) => !each.startsWith(".") || !flags.includes("v")
  return {
    front,
    fits: (each) => matches(`.${each}`) && isVisible(each),
    isWide: name === "*",
    flags,
    rest: end < 0 ? "" : behind.slice(end),
  }
}

/** The words that a name is split into, where that makes several of it, without quotes. */
function piecesOf(path: string): readonly string[] {
  if (!/[\s"'\\]/.test(path)) return []
  return [path, path.replaceAll(/["'\\]/g, "")].flatMap((each) => each.split(/\s+/)).filter((each) => each !== "")
}
