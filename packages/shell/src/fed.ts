import type { Redirection } from "unbash"
import type { ReadState } from "./call.ts"
import type { Notes } from "./notes.ts"
import { toArgument } from "./words/argument.ts"
import { OPEN, type Names } from "./words/hole.ts"
import { rawNames } from "./words/names.ts"
import { outputNames } from "./words/output-names.ts"

/** Returns the state with the names that redirections pass to the input. */
export function fed(redirects: readonly Redirection[], state: ReadState, notes: Notes): ReadState {
  const last = redirects.findLast(({ operator, descriptor }) => operator.startsWith("<") && !descriptor)
  return last ? { ...state, feed: given(last, notes) } : state
}

function given(redirect: Redirection, notes: Notes): Names {
  if (redirect.type === "HereDoc" || !redirect.target) return OPEN
  const { type, target } = redirect
  if (type === "HereString") return words(rawNames(toArgument(target), notes, 0))
  const [part, ...others] = target.parts ?? []
  return part?.type === "ProcessSubstitution" && part.operator === "<" && others.length === 0
    ? outputNames(part.script, notes, 0)
    : OPEN
}

/** Splits what is read into words. */
export function words(found: Names): Names {
  return { ...found, names: found.names.flatMap((name) => name.split(/\s+/).filter((word) => word !== "")) }
}
