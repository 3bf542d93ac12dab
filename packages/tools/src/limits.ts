/** Limits of a tool's output. The limit that is reached first applies. */
export const MAX_LINES = 2000
export const MAX_BYTES = 50 * 1024
/** Longer lines are cut. */
export const MAX_LINE_LENGTH = 2000
