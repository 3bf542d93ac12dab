import type { Fact, FactKind, Moment } from "./conversation.ts"
import type { Random } from "./random.ts"

/** Collects the facts of a conversation while it is generated. */
export interface FactList {
  readonly facts: readonly Fact[]
  /** Returns a word with a number that is unique among all names. */
  readonly name: (word: string) => string
  /** Adds a fact and returns its key. */
  readonly plant: (kind: FactKind, key: string, from: Moment, more?: Pick<Fact, "until" | "equivalent">) => string
  /** Ends the validity of facts. */
  readonly end: (at: Moment, isOver: (fact: Fact) => boolean) => void
}

export function createFactList(random: Random): FactList {
  const facts: Fact[] = []
  let names = 0
  return {
    facts,
    name(word) {
      const number = (++names).toString(36).padStart(4, "0")
      return `${word}-${number}${random.whole(36, 1295).toString(36)}`
    },
    plant(kind, key, from, more = {}) {
      facts.push({ kind, key, from, ...more })
      return key
    },
    end(at, isOver) {
      for (const [index, fact] of facts.entries()) if (isOver(fact)) facts[index] = { ...fact, until: at }
    },
  }
}
