import { type Count, maskedPatterns } from "./patterns/masked-patterns.ts"
import { removed } from "./removed.ts"
import { createSearch, type Search } from "./value-search.ts"
import { MIN_VALUE_LENGTH, valueForms } from "./value-forms.ts"

/** Knows the secrets of a process, and masks everything that it shows to users or writes to shared files. */
export interface Secrets {
  /**
   * Remembers a value. `name` replaces it: the variable or key that it comes from. Ignores undefined and values with
   * fewer than 8 characters.
   */
  add(value: string | undefined, name?: string): void
  /**
   * Replaces remembered values and everything that looks like a secret by `[removed:…]`. `count` is called with
   * `secret.value` for each value, and with the kind of other secrets.
   */
  mask(text: string, count?: Count): string
}

/** Remembers values only in this registry. */
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
      if (trimmed.length < MIN_VALUE_LENGTH) return
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
