import { daily } from "./daily.ts"
import { everyday as usual } from "./everyday.ts"
import { names } from "./names.ts"
import { options, ordinary } from "./options.ts"
import { state } from "./state.ts"
import { syntax } from "./syntax.ts"
import { wrappers } from "./wrappers.ts"

export type { CorpusEntry } from "./entry.ts"

/** Ways to get a command past rules that name it. */
export const bypasses = [...syntax, ...names, ...wrappers, ...state, ...options]

/** Commands of every day. Few of them may be unclear. */
export const everyday = [...usual, ...ordinary, ...daily]

export { syntax }
