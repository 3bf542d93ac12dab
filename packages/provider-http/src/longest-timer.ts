/** In milliseconds: a timer of more fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1
