import { type Dirent, readdirSync } from "node:fs"
import { basename, join, matchesGlob, relative, resolve } from "node:path"
import { realPath } from "./real-path.ts"

export interface ProtectRule {
  readonly files: readonly string[]
  readonly message?: string | undefined
}

/** Files that no call may change. Paths are absolute and may lead through links. Both throw what the model is to read. */
export interface ProtectedFiles {
  checkChanged(path: string): void
  /** Of what is removed or moved with all that is below it; `name`: a glob, only what is called so. */
  checkRemoved(path: string, name?: string): void
}

interface Place {
  readonly rule: ProtectRule
  /** Where the names without stars lead; absolute, without links. */
  readonly base: string
  /** The rest of the glob; empty where it has no stars. */
  readonly rest: string
}

/** Files and directories that are looked at before a directory is taken for one that holds protected files. */
const MOST = 20_000

/** `directory`: what the rules' globs are relative to. */
export function protectedFiles(rules: readonly ProtectRule[], directory: string): ProtectedFiles {
  const home = realPath(directory)
  const places = rules.flatMap((rule) => rule.files.map((glob): Place => ({ rule, ...divided(glob, directory) })))
  const placeOf = (path: string) => places.find(({ base, rest }) => covers(path, base, rest))

  function refuse(path: string, { rule }: Place): never {
    const name = relative(home, path) || "."
    throw new Error(rule.message ?? `${name} is protected: leave it as it is, or ask the user to change it.`)
  }

  return {
    checkChanged(path) {
      // A link may be what is protected, or lead to it.
      for (const each of [ownPath(path), realPath(path)]) {
        const place = placeOf(each)
        if (place) refuse(each, place)
      }
    },
    checkRemoved(path, name) {
      // A link is removed itself.
      const top = path.endsWith("/") ? realPath(path) : ownPath(path)
      for (const place of places) {
        const { found, isTooLarge } = search(top, place, name)
        if (found !== undefined) refuse(found, place)
        if (isTooLarge) throw new Error(`${relative(home, top) || "."} holds too much to see whether it is protected.`)
      }
    },
  }
}

/** Without links but for the last name. */
function ownPath(path: string): string {
  const name = basename(path)
  return name === "." || name === ".." ? realPath(path) : join(realPath(path.slice(0, path.lastIndexOf(name))), name)
}

/** Names before the first one with a star, and the others. */
function divided(glob: string, directory: string): Omit<Place, "rule"> {
  const names = glob.replace(/^(?:\.\/)+/, "").split("/")
  const first = names.findIndex((name) => /[*?[\]{}!()]/.test(name))
  const plain = first < 0 ? names : names.slice(0, first)
  return { base: realPath(resolve(directory, plain.join("/"))), rest: first < 0 ? "" : names.slice(first).join("/") }
}

function covers(path: string, base: string, rest: string): boolean {
  if (rest === "") return path === base
  const way = relative(base, path)
  return isBelow(way) && matchesName(way, rest)
}

/** A star stands for names that begin with a dot as well. */
function matchesName(way: string, glob: string): boolean {
  const shown = (text: string) => text.replaceAll(/(?<=^|[/{,(|])\./g, "\u{1}")
  return matchesGlob(way, glob) || matchesGlob(shown(way), shown(glob))
}

function isBelow(way: string): boolean {
  return way !== "" && way !== ".." && !way.startsWith("../")
}

/** What is protected of `top` and all below it. Directories that cannot hold any are passed over. */
function search(top: string, place: Place, name = "*"): { readonly found?: string; readonly isTooLarge?: boolean } {
  const { base, rest } = place
  const mayHold = (path: string) => {
    const toBase = relative(path, base)
    if (toBase === "" || isBelow(toBase)) return true
    const depth = relative(base, path).split("/").length
    return isBelow(relative(base, path)) && (rest.includes("**") || depth < rest.split("/").length)
  }
  // With a directory goes what is below it.
  const isNamed = (path: string) => {
    return [basename(top), ...relative(top, path).split("/")].some((each) => matchesName(each, name))
  }
  const matches = (path: string) => covers(path, base, rest) && isNamed(path)
  const waiting = [top]
  for (let at = 0; at < waiting.length; at++) {
    const path = waiting[at] as string
    if (at > MOST) return { isTooLarge: true }
    if (matches(path) && exists(path)) return { found: path }
    if (mayHold(path)) waiting.push(...entriesOf(path).map((entry) => join(path, entry.name)))
  }
  return {}
}

function exists(path: string): boolean {
  return entriesOf(join(path, "..")).some((entry) => entry.name === basename(path))
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
