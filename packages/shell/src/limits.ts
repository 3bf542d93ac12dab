/** In UTF-16 code units; a longer command is not parsed. */
export const MAX_LENGTH = 65_536

/** Marks of here-documents in a script: the parser's time grows with the square of those that are open. */
export const MAX_HERE_DOCUMENTS = 4000

/** Scripts within scripts and wrappers around wrappers. */
export const MAX_DEPTH = 16

/** Characters of all scripts and substitutions together: one counts again for each that it is within. */
export const MAX_NESTED_LENGTH = 10 * MAX_LENGTH

/** How often a command is read, each time with what is known of its variables by then. */
export const MAX_ROUNDS = 4

/** Literal values that are kept of one variable. */
export const MAX_VALUES = 64

/** Characters of a literal value that is kept. */
export const MAX_VALUE_LENGTH = 1000

/** Nodes of the tree and commands, over all nested scripts. */
export const MAX_STEPS = 50_000
