import type { Once } from "../once.ts"
import { readEntries } from "../read-entries.ts"
import { nameMatcher } from "./name-matcher.ts"

/** Entries of directories that are looked at for one command. */
const MAX_ENTRIES = 50_000
/** Files that one pattern may stand for. */
const MAX_MATCHES = 5000

export interface PatternMatch {
  /** Relative to where it was looked for, or absolute. Behind a link, `..` in it leads out of where that link leads. */
  readonly path: string
  /** No name in it is known to be a link's, from the first one on that is not literal. */
  readonly isPlain: boolean
}

/** What is there of what a command may mean, for one judgement; undefined where that is too much to look at. */
export interface Expansion {
  /** What a pattern of file names stands for, as bash reads it. */
  expand(this: void, start: string, pattern: string): readonly PatternMatch[] | undefined
  /** The symbolic links below a directory; links are not followed. */
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
    // Older shells find these as well.
    const places = [".", ".."].filter((place) => name.startsWith(".") && matches(place))
    return [...next, ...places.map((place) => ({ path: path + place, isPlain: false }))]
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

/** The only name that one in a pattern stands for. */
function literalName(name: string): string | undefined {
  return /^(?:[^*?[\]\\]|\\.)*$/s.test(name) ? name.replaceAll(/\\(.)/gs, "$1") : undefined
}
