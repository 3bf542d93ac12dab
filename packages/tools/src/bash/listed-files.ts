import { resolve } from "node:path"
import { BELOW } from "@pawl/shell"
import { isProtected, type NameTest } from "../protected/is-protected.ts"
import { readEntries } from "../read-entries.ts"
import type { Expansion } from "./file-patterns.ts"
import { nameMatcher } from "./name-matcher.ts"

/** Maximum number of directory entries that are read for the listings of one command. */
const MAX_ENTRIES = 200_000
/** Maximum number of files that one listing may return. */
const MAX_LISTED = 2000

/** A path that a listing may print and that may lead elsewhere or is protected. */
export interface ListedFile {
  readonly path: string
  /** True if `path` is only a part of a name, or a pattern match of such a part. */
  readonly isGuess: boolean
}

interface Listing {
  /** Pattern of the listed directories, with a slash at its end; empty for the start directory. */
  readonly front: string
  readonly fits: (name: string) => boolean
  /** True if everything below a protected directory matches too. */
  readonly isWide: boolean
  readonly flags: string
  /** Text after each path. */
  readonly rest: string
}

/** Returns true if the pattern contains a listing of files below a directory. */
export function isListing(pattern: string): boolean {
  return pattern.includes(BELOW)
}

/** Returns the pattern of the last names that a listing prints. The leading dot includes hidden names. */
export function listedName(pattern: string): string {
  const behind = pattern.slice(pattern.lastIndexOf(BELOW) + 1)
  return `.${behind.slice(behind.lastIndexOf("/") + 1)}`
}

/** Replaces each listing in the pattern by a star. */
export function shownPattern(pattern: string): string {
  return pattern.replaceAll(LISTING, "")
}

const LISTING = /\ue003[^\ue003]*\ue003/g
const ANY = "\u0001"

/** Returns tests for the names in a pattern, in lower case. A listing may print hidden names. */
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

/** Looks up what listings print, for the check of one command. */
export function createListings({ expand }: Expansion) {
  let left = MAX_ENTRIES

  /**
   * Returns the relevant paths of a listing: links, files that are protected if written, and names that contain several
   * words or a pattern. Returns undefined if there are too many entries.
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

/** Returns undefined if the pattern contains several listings. */
function listingOf(pattern: string): Listing | undefined {
  const [before = "", flags = "", behind = "", ...others] = pattern.split(BELOW)
  if (others.length > 0) return undefined
  const front = before.slice(0, before.lastIndexOf("/") + 1)
  const end = behind.indexOf("/")
  const name = end < 0 ? behind : behind.slice(0, end)
  // After a prefix any name matches, and hidden names have no leading dot.
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

/** Returns the words that splitting a name gives, with quotes removed, if there are several. */
function piecesOf(path: string): readonly string[] {
  if (!/[\s"'\\]/.test(path)) return []
  return [path, path.replaceAll(/["'\\]/g, "")].flatMap((each) => each.split(/\s+/)).filter((each) => each !== "")
}
