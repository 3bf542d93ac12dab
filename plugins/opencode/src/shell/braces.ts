/** Expands a pattern with `{a,b}` into its words, in order. Lists may be nested. */
export function braces(pattern: string): string[] {
  const list = firstList(pattern)
  if (!list) return [pattern]
  const before = pattern.slice(0, list.start)
  const rests = braces(pattern.slice(list.end))
  return list.items.flatMap((item) => braces(item).flatMap((middle) => rests.map((rest) => before + middle + rest)))
}

interface List {
  readonly start: number
  /** After the closing brace. */
  readonly end: number
  readonly items: readonly string[]
}

function firstList(pattern: string): List | undefined {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    const list = listAt(pattern, start)
    if (list) return list
  }
  return undefined
}

function listAt(pattern: string, start: number): List | undefined {
  const items: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === "{") depth++
    else if (character === "}") depth--
    const isEnd = depth === 0
    if (isEnd || (character === "," && depth === 1)) {
      items.push(pattern.slice(from, at))
      from = at + 1
    }
    if (isEnd) return items.length > 1 ? { start, end: at + 1, items } : undefined
  }
  return undefined
}
