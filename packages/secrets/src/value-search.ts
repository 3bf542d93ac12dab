import { isOmission } from "./omission.ts"

interface State {
  readonly next: Map<number, State>
  /** The state of the longest other beginning that this one ends with. */
  fallback: State | undefined
  /** The longest word that ends here. */
  length: number
  name: string
  /** Characters from the root, and the name of a word that goes on from here. */
  readonly depth: number
  readonly nameBelow: string
}

export interface Found {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** Fewer characters of a word before a mark of omission are no beginning of it. */
const MIN_BEGINNING = 4

/**
 * Finds where any of many words stands in a text, in one walk over it, and the beginning of one that was cut, before a mark
 * of omission. Places that touch or overlap are one.
 */
export type Search = (text: string) => readonly Found[]

/** The automaton of Aho and Corasick. `words`: each with the name that is told of it. */
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

/** Nearest to the root first, so that what a state falls back to is complete. */
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
