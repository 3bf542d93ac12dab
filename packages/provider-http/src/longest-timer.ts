/** Node fires a longer timer at once. */
export const LONGEST_TIMER = 2 ** 31 - 1
