/** In UTF-16 code units. A longer command is not parsed. */
export const MAX_LENGTH = 65_536

/** Maximum number of here-documents in a script, because the parser takes quadratic time. */
export const MAX_HERE_DOCUMENTS = 4000

/** Maximum depth of nested scripts and wrappers. */
export const MAX_DEPTH = 16

/** Maximum number of characters of all nested scripts and substitutions, which count once per level. */
export const MAX_NESTED_LENGTH = 10 * MAX_LENGTH

/** Maximum number of readings of a command, each with the knowledge about variables of the previous ones. */
export const MAX_ROUNDS = 4

/** Maximum number of literal values per variable. */
export const MAX_VALUES = 64

/** Maximum length of a literal value. */
export const MAX_VALUE_LENGTH = 1000

/** Maximum number of syntax nodes and commands in all nested scripts. */
export const MAX_STEPS = 50_000

export const TOO_DEEP = `Commands are nested more than ${MAX_DEPTH} deep.`
export const TOO_MANY_PARTS = "The command has too many parts."
