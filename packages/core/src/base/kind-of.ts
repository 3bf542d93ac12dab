import { quoted } from "./quoted.ts"

/** Characters of a quoted value. */
const MAX_SHOWN = 60

/** Describes a value in a message: short values by themselves, others by their kind. */
export function kindOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return quoted(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN).toWellFormed()}…` : value)
    case "function":
      return "a function"
    case "object":
      if (value === null) return "null"
      return Array.isArray(value) ? "a list" : "an object"
    case "undefined":
      return "nothing"
    default:
      return String(value)
  }
}
