/** What a tool hands to the model at most, whichever is reached first. */
export const MAX_LINES = 2000
export const MAX_BYTES = 50 * 1024
/** A longer line is cut. */
export const MAX_LINE_LENGTH = 2000
