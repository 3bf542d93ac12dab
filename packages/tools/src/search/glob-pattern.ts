import { expandBraces } from "./expand-braces.ts"

/** Matches one character of a name, or with `many` any number of characters. */
type Piece =
  | { readonly type: "many" | "any" }
  | { readonly type: "same"; readonly character: string }
  | { readonly type: "set"; readonly isOutside: boolean; readonly ranges: readonly (readonly [string, string])[] }

/** Pattern for one name of a path; `**` matches any number of names. */
type Segment = "**" | readonly Piece[]

/** No path is longer, so no useful pattern is. */
const MAX_PATTERN_LENGTH = 4096
const EXTENDED = /(?<!\\)[!@+*?]\(/

/**
 * Returns a matcher for paths with `/`: `*` and `?` within a name, `[a-z]` and `[!a-z]` for one character, `**` for any
 * number of names, `{a,b}` for either; a backslash escapes. A leading dot is not special. Unlike a backtracking regular
 * expression, it takes at most the product of both lengths in time. Throws with a text for the model.
 */
export function globPattern(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new Error(`The pattern is longer than ${MAX_PATTERN_LENGTH} characters. Use a shorter one.`)
  const [extended] = EXTENDED.exec(pattern) ?? []
  if (extended !== undefined) {
    throw new Error(
      `The pattern has "${extended}", which is not known here: write {a,b} for one of several, or \\${extended} for the characters themselves.`,
    )
  }
  const alternatives = expandBraces(pattern).map((each) => segmentsOf(each.split("/")))
  return (path) => {
    const names = path.split("/").map((name) => Array.from(name))
    return alternatives.some((segments) => fits(segments, names, isAnyNames, fitsName))
  }
}

function segmentsOf(texts: readonly string[]): readonly Segment[] {
  const segments = texts.map((text): Segment => (text === "**" ? text : piecesOf(Array.from(text))))
  // `dir/**` does not match `dir` itself.
  return texts.at(-1) === "**" ? [...segments, [{ type: "many" }]] : segments
}

function piecesOf(text: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ""
    const set = character === "[" ? setAt(text, at) : undefined
    if (set) {
      pieces.push(set.piece)
      at = set.end
    } else if (character === "*") pieces.push({ type: "many" })
    else if (character === "?") pieces.push({ type: "any" })
    else pieces.push({ type: "same", character: character === "\\" ? (text[++at] ?? "\\") : character })
  }
  return pieces
}

/** Returns undefined if the bracket is never closed; then it is an ordinary character. */
function setAt(text: readonly string[], start: number): { readonly piece: Piece; readonly end: number } | undefined {
  const isOutside = text[start + 1] === "!" || text[start + 1] === "^"
  const first = start + (isOutside ? 2 : 1)
  const ranges: [string, string][] = []
  for (let at = first; at < text.length; at++) {
    if (text[at] === "]" && at > first) return { piece: { type: "set", isOutside, ranges }, end: at }
    if (text[at] === "\\") at++
    const low = text[at] ?? ""
    const hasEnd = text[at + 1] === "-" && text[at + 2] !== undefined && text[at + 2] !== "]"
    ranges.push([low, hasEnd ? (text[at + 2] ?? low) : low])
    if (hasEnd) at += 2
  }
  return undefined
}

/** On a mismatch, retry only the last wildcard: extending an earlier one could not match more. */
function fits<Wanted, Item>(
  wanted: readonly Wanted[],
  items: readonly Item[],
  isMany: (each: Wanted) => boolean,
  isOne: (each: Wanted, item: Item) => boolean,
): boolean {
  let at = 0
  let many: { readonly next: number; from: number } | undefined
  for (let index = 0; index < items.length;) {
    const each = wanted[at]
    if (each !== undefined && isMany(each)) many = { next: ++at, from: index }
    else if (each !== undefined && isOne(each, items[index] as Item)) {
      at++
      index++
    } else if (many) {
      at = many.next
      index = ++many.from
    } else return false
  }
  return wanted.slice(at).every(isMany)
}

function isAnyNames(segment: Segment): boolean {
  return segment === "**"
}

function fitsName(segment: Segment, name: readonly string[]): boolean {
  return segment !== "**" && fits(segment, name, ({ type }) => type === "many", fitsCharacter)
}

function fitsCharacter(piece: Piece, character: string): boolean {
  if (piece.type === "same") return piece.character === character
  if (piece.type !== "set") return true
  return piece.ranges.some(([low, high]) => low <= character && character <= high) !== piece.isOutside
}
