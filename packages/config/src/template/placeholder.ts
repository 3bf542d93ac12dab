import { argumentWords } from "./argument-words.ts"

/** Matches `$1`, `$2` and so on, and `$ARGUMENTS`. */
export const PLACEHOLDER = /\$(?:([1-9]\d{0,2})|ARGUMENTS)/

/** The values of a template's placeholders. */
export interface Replacements {
  readonly isEmpty: boolean
  /** The arguments as the user typed them. */
  readonly text: string
  /** Returns the words for a placeholder: empty if there are too few; all remaining words for the highest number. */
  words(placeholder: string): string[]
}

export function replacementsFor(template: string, given: string): Replacements {
  const text = given.trim()
  const words = argumentWords(text)
  const placeholders = template.match(new RegExp(PLACEHOLDER, "g")) ?? []
  const highest = Math.max(0, ...placeholders.map((each) => numberOf(each) ?? 0))
  return {
    isEmpty: placeholders.length === 0,
    text,
    words(placeholder) {
      const number = numberOf(placeholder)
      if (number === undefined) return words
      return words.slice(number - 1, number === highest ? undefined : number)
    },
  }
}

function numberOf(placeholder: string): number | undefined {
  const digits = PLACEHOLDER.exec(placeholder)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
