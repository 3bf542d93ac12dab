import { type Dirent, readdirSync } from "node:fs"
import { basename, join, matchesGlob, relative, resolve } from "node:path"
import { realPath } from "./real-path.ts"

export interface ProtectRule {
  readonly files: readonly string[]
  readonly message?: string | undefined
}

/**
 * Files that no call may change. Paths are absolute and may contain links. Both methods throw with a text for the
 * model.
 */
export interface ProtectedFiles {
  checkChanged(path: string): void
  /**
   * Checks a path that is removed or moved with everything below it. `name` limits it to files that match this glob.
   */
  checkRemoved(path: string, name?: string): void
}

interface ProtectedLocation {
  readonly rule: ProtectRule
  /** Real path of the names before the first wildcard; absolute. */
  readonly base: string
  /** The rest of the glob; empty if it has no wildcards. */
  readonly rest: string
}

/** Maximum number of entries that are searched. A larger directory counts as one with protected files. */
const MAX_ENTRIES = 20_000

/** `directory` is the base of the rules' globs. */
export function protectedFiles(rules: readonly ProtectRule[], directory: string): ProtectedFiles {
  const home = realPath(directory)
  const locations = rules.flatMap((rule) =>
    rule.files.map((glob): ProtectedLocation => ({ rule, ...divided(glob, directory) })),
  )
  const locationOf = (path: string) => locations.find(({ base, rest }) => covers(path, base, rest))

  function refuse(path: string, { rule }: ProtectedLocation): never {
    const name = relative(home, path) || "."
    throw new Error(rule.message ?? `${name} is protected: leave it as it is, or ask the user to change it.`)
  }

  return {
    checkChanged(path) {
      // A link can be protected itself or lead to a protected file.
      for (const each of [ownPath(path), realPath(path)]) {
        const location = locationOf(each)
        if (location) refuse(each, location)
      }
    },
    checkRemoved(path, name) {
      // Removing a link does not remove its target.
      const top = path.endsWith("/") ? realPath(path) : ownPath(path)
      for (const location of locations) {
        const { found, isTooLarge } = search(top, location, name)
        if (found !== undefined) refuse(found, location)
        if (isTooLarge) throw new Error(`${relative(home, top) || "."} holds too much to see whether it is protected.`)
      }
    },
  }
}

/** Resolves links except for the last name. */
function ownPath(path: string): string {
  const name = basename(path)
  return name === "." || name === ".." ? realPath(path) : join(realPath(path.slice(0, path.lastIndexOf(name))), name)
}

/** Splits a glob at its first name with a wildcard. */
function divided(glob: string, directory: string): Omit<ProtectedLocation, "rule"> {
  const names = glob.replace(/^(?:\.\/)+/, "").split("/")
  const first = names.findIndex((name) => /[*?[\]{}!()]/.test(name))
  const plain = first < 0 ? names : names.slice(0, first)
  return { base: realPath(resolve(directory, plain.join("/"))), rest: first < 0 ? "" : names.slice(first).join("/") }
}

function covers(path: string, base: string, rest: string): boolean {
  if (rest === "") return path === base
  const name = relative(base, path)
  return isBelow(name) && matchesName(name, rest)
}

/** Unlike a shell's, wildcards also match names that begin with a dot. */
function matchesName(path: string, glob: string): boolean {
  const shown = (text: string) => text.replaceAll(/(?<=^|[/{,(|])\./g, "\u{1}")
  return matchesGlob(path, glob) || matchesGlob(shown(path), shown(glob))
}

function isBelow(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith("../")
}

/** Searches for protected files at or below `top`. Skips directories that cannot contain any. */
function search(
  top: string,
  location: ProtectedLocation,
  name = "*",
): { readonly found?: string; readonly isTooLarge?: boolean } {
  const { base, rest } = location
  const mayHold = (path: string) => {
    const toBase = relative(path, base)
    if (toBase === "" || isBelow(toBase)) return true
    const depth = relative(base, path).split("/").length
    return isBelow(relative(base, path)) && (rest.includes("**") || depth < rest.split("/").length)
  }
  // Removing a directory removes everything below it.
  const isNamed = (path: string) => {
    return [basename(top), ...relative(top, path).split("/")].some((each) => matchesName(each, name))
  }
  const matches = (path: string) => covers(path, base, rest) && isNamed(path)
  const waiting = [top]
  for (let at = 0; at < waiting.length; at++) {
    const path = waiting[at] as string
    if (at > MAX_ENTRIES) return { isTooLarge: true }
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
