import { type Count, maskedPatterns } from "./patterns/masked-patterns.ts"
import { removed } from "./removed.ts"
import { createSearch, type Search } from "./value-search.ts"
import { SHORTEST, valueForms } from "./value-forms.ts"

/** The secrets of a process, and the masking of everything that leaves it for people or for files that are shared. */
export interface Secrets {
  /**
   * Remembers a value. `name` stands in its place: the variable or the key that it comes from. Undefined, and what is
   * shorter than 8 characters, is not remembered.
   */
  add(value: string | undefined, name?: string): void
  /**
   * The text with `[removed:…]` in the place of remembered values and of what looks like a secret. `count` is told
   * `secret.value` of each value, and the kind of what looks like one.
   */
  mask(text: string, count?: Count): string
}

/** Nothing is remembered beyond this registry. */
export function createSecrets(): Secrets {
  /** Names by value. */
  const values = new Map<string, string>()
  let search: Search | undefined

  function maskedValues(text: string, count?: Count): string {
    if (values.size === 0) return text
    search ??= createSearch(formsOf(values))
    let end = 0
    const pieces: string[] = []
    for (const found of search(text)) {
      pieces.push(text.slice(end, found.start), removed(found.name))
      end = found.end
      count?.("secret.value")
    }
    return pieces.join("") + text.slice(end)
  }

  return {
    add(value, name = "secret.value") {
      const trimmed = value?.trim() ?? ""
      if (trimmed.length < SHORTEST) return
      if (values.has(trimmed)) return
      values.set(trimmed, name)
      search = undefined
    },
    mask: (text, count) => maskedPatterns(maskedValues(text, count), count),
  }
}

function formsOf(values: ReadonlyMap<string, string>): Map<string, string> {
  const names = [...values]
    .toReversed()
    .flatMap(([value, name]) => valueForms(value).map((form) => [form, name] as const))
  return new Map(names)
}
