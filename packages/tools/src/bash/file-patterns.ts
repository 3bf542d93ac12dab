import type { Once } from "../once.ts"
import { readEntries } from "../read-entries.ts"
import { nameMatcher } from "./name-matcher.ts"

/** Maximum number of directory entries that are read for one command. */
const MAX_ENTRIES = 50_000
/** Maximum number of files that one pattern may match. */
const MAX_MATCHES = 5000

export interface PatternMatch {
  /** Absolute, or relative to the start directory. `..` behind a link leaves the link's target. */
  readonly path: string
  /** True if no name after the literal start of the path is known to be a link. */
  readonly isPlain: boolean
}

/** Looks up files that a command may use. Returns undefined if there are too many entries. */
export interface Expansion {
  /** Expands a pattern of file names like bash. */
  expand(this: void, start: string, pattern: string): readonly PatternMatch[] | undefined
  /** Returns the symbolic links below a directory. Does not follow links. */
  linksBelow(this: void, start: string, path: string): readonly string[] | undefined
}

export function createExpansion(once: Once): Expansion {
  let left = MAX_ENTRIES
  const entriesOf = (directory: string) => once(`entries ${directory}`, () => readEntries(directory))

  function matchesOf(start: string, { path, isPlain }: PatternMatch, name: string): PatternMatch[] {
    const at = path.startsWith("/") ? path : `${start}/${path}`
    const matches = nameMatcher(name)
    const entries = entriesOf(at)
    left -= entries.length
    const found = entries.filter((entry) => matches(entry.name))
    const next = found.map((entry) => ({ path: path + entry.name, isPlain: isPlain && !entry.isSymbolicLink() }))
    // Older shells match `.` and `..` as well.
    const dots = [".", ".."].filter((each) => name.startsWith(".") && matches(each))
    return [...next, ...dots.map((each) => ({ path: path + each, isPlain: false }))]
  }

  function linksBelow(start: string, path: string): readonly string[] | undefined {
    const links: string[] = []
    const open = [path]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const entries = entriesOf(next.startsWith("/") ? next : `${start}/${next}`)
      left -= entries.length
      if (left <= 0) return undefined
      for (const entry of entries) {
        if (entry.isSymbolicLink()) links.push(`${next}/${entry.name}`)
        else if (entry.isDirectory()) open.push(`${next}/${entry.name}`)
      }
    }
    return links
  }

  function expand(start: string, pattern: string): readonly PatternMatch[] | undefined {
    let found: readonly PatternMatch[] = [{ path: "", isPlain: true }]
    let isLiteral = true
    for (const [index, name] of pattern.split("/").entries()) {
      const text = literalName(name)
      if (text === undefined)
        found = found.flatMap((match) => (left > 0 ? matchesOf(start, slashed(match, index), name) : []))
      else
        found = found.map((match) => ({
          path: slashed(match, index).path + text,
          isPlain: match.isPlain && (isLiteral || text === ""),
        }))
      isLiteral &&= text !== undefined
      if (left <= 0 || found.length > MAX_MATCHES) return undefined
    }
    return found
  }

  return { expand, linksBelow }
}

function slashed(match: PatternMatch, index: number): PatternMatch {
  return index === 0 ? match : { ...match, path: `${match.path}/` }
}

/** Returns the name that a pattern matches if it can match only one. */
function literalName(name: string): string | undefined {
  return /^(?:[^*?[\]\\]|\\.)*$/s.test(name) ? name.replaceAll(/\\(.)/gs, "$1") : undefined
}
