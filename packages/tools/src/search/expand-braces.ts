const MAX_PATTERNS = 1000

/**
 * Expands braces: `{a,b}` to each part, `{1..9}` to each number. Groups may be nested. Escaped braces and braces
 * without a comma or range stay unchanged. Throws if there are more than 1000 results.
 */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next)
    if (group) open.push(...group.parts.map((part) => group.before + part + group.after).toReversed())
    else done.push(next)
    if (done.length + open.length > MAX_PATTERNS) throw tooMany()
  }
  return done
}

function tooMany(): Error {
  return new Error(`The pattern's braces stand for more than ${MAX_PATTERNS} patterns. Use a simpler one.`)
}

interface Group {
  readonly before: string
  readonly parts: readonly string[]
  readonly after: string
}

/** Finds the first group with a comma or a range. */
function firstGroup(pattern: string): Group | undefined {
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++
    else if (pattern[at] === "{") {
      const group = groupAt(pattern, at)
      if (group) return group
    }
  }
  return undefined
}

function groupAt(pattern: string, start: number): Group | undefined {
  const parts: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === "\\") at++
    else if (character === "{") depth++
    else if (character === "," && depth === 1) {
      parts.push(pattern.slice(from, at))
      from = at + 1
    } else if (character === "}" && --depth === 0) {
      const last = pattern.slice(from, at)
      const all = parts.length > 0 ? [...parts, last] : rangeOf(last)
      return all && { before: pattern.slice(0, start), parts: all, after: pattern.slice(at + 1) }
    }
  }
  return undefined
}

function rangeOf(text: string): readonly string[] | undefined {
  const [, first = "", last = ""] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? []
  if (first === "") return undefined
  const [low, high] = [Number(first), Number(last)].toSorted((a, b) => a - b) as [number, number]
  if (high - low >= MAX_PATTERNS) throw tooMany()
  return Array.from({ length: high - low + 1 }, (_, index) => String(low + index))
}
