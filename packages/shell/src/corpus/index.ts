import { everyday } from "./everyday.ts"
import { names } from "./names.ts"
import { state } from "./state.ts"
import { syntax } from "./syntax.ts"
import { wrappers } from "./wrappers.ts"

export type { CorpusEntry } from "./entry.ts"

/** Ways to get a command past rules that speak of it by name. */
export const bypasses = [...syntax, ...names, ...wrappers, ...state]

export { everyday, syntax }
