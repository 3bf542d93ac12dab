import { isOmission } from "./omission.ts"

interface State {
  readonly next: Map<number, State>
  /** State of the longest proper suffix that is the beginning of a word. */
  fallback: State | undefined
  /** Length of the longest word that ends here. */
  length: number
  name: string
  /** Distance from the root. `nameBelow` is the name of a word that continues from here. */
  readonly depth: number
  readonly nameBelow: string
}

export interface Found {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** A shorter beginning of a word before a mark of omission is ignored. */
const MIN_BEGINNING = 4

/**
 * Finds all words in a text in one pass, and the beginning of a cut word before a mark of omission. Merges matches that
 * touch or overlap.
 */
export type Search = (text: string) => readonly Found[]

/** Builds an Aho-Corasick automaton. `words` maps words to the names that matches report. */
export function createSearch(words: ReadonlyMap<string, string>): Search {
  const root = newState(0, "")
  for (const [word, name] of words) addWord(root, word, name)
  linkFallbacks(root)
  return (text) => {
    const found: Found[] = []
    let state = root
    for (let at = 0; at < text.length; at++) {
      if (state.depth >= MIN_BEGINNING && isOmission(text, at)) {
        addFound(found, { start: at - state.depth, end: at, name: state.nameBelow })
      }
      state = step(state, text.charCodeAt(at), root)
      if (state.length > 0) addFound(found, { start: at + 1 - state.length, end: at + 1, name: state.name })
    }
    return found
  }
}

function newState(depth: number, nameBelow: string): State {
  return { next: new Map(), fallback: undefined, length: 0, name: "", depth, nameBelow }
}

function addWord(root: State, word: string, name: string): void {
  let state = root
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    const next = state.next.get(code) ?? newState(at + 1, name)
    state.next.set(code, next)
    state = next
  }
  state.length = word.length
  state.name = name
}

/** Processes states in order of distance from the root, because each one needs complete fallbacks. */
function linkFallbacks(root: State): void {
  const queue = [root]
  for (const state of queue) {
    for (const [code, next] of state.next) {
      next.fallback = state === root ? root : step(state.fallback ?? root, code, root)
      if (next.length === 0) {
        next.length = next.fallback.length
        next.name = next.fallback.name
      }
      queue.push(next)
    }
  }
}

function step(from: State, code: number, root: State): State {
  let state: State | undefined = from
  while (state) {
    const next: State | undefined = state.next.get(code)
    if (next) return next
    state = state.fallback
  }
  return root
}

function addFound(found: Found[], last: Found): void {
  let merged = last
  for (let before = found.at(-1); before && before.end >= merged.start; before = found.at(-1)) {
    found.pop()
    const name = before.end - before.start >= last.end - last.start ? before.name : last.name
    merged = { start: Math.min(before.start, merged.start), end: merged.end, name }
  }
  found.push(merged)
}
