// Maximum number and length of the patterns that a user writes in an answer of `always`.
export const MAX_CHOSEN_PATTERNS = 50
export const MAX_CHOSEN_PATTERN_LENGTH = 10_000
