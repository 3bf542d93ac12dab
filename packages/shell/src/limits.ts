/** In UTF-16 code units; a longer command is not parsed. */
export const MAX_LENGTH = 65_536

/** Scripts within scripts and wrappers around wrappers. */
export const MAX_DEPTH = 16

/** Characters of all scripts and substitutions together: one counts again for each that it is within. */
export const MAX_NESTED_LENGTH = 10 * MAX_LENGTH

/** Nodes of the tree and commands, over all nested scripts. */
export const MAX_STEPS = 50_000
