/** Largest file whose content before a call is kept. */
export const MAX_BEFORE_BYTES = 2 * 1024 * 1024
/** Largest file whose content after a call, or before an undo, is kept. */
export const MAX_AFTER_BYTES = 16 * 1024 * 1024
/** Limits of the copies of files that git does not have: number, and bytes in total. */
export const MAX_COPIES = 10_000
export const MAX_COPIED_BYTES = 64 * 1024 * 1024
/** Largest number of files in a listing without git. */
export const MAX_LISTED = 100_000
/** Largest number of files of a repository whose permission bits are read, because git keeps only one of them. */
export const MAX_MODES = 20_000
/** Limits of a directory that a call names: number of files, and bytes in total. */
export const MAX_NAMED_FILES = 1000
export const MAX_NAMED_BYTES = 32 * 1024 * 1024
/** Time of a listing in milliseconds. */
export const MAX_LISTING_MS = 5000
/** A listing that takes no longer is repeated right before each call. */
export const QUICK_LISTING_MS = 50
/** Largest number of changes that are kept of one call. */
export const MAX_CHANGES = 20_000
/** Times of files are as coarse as the kernel's clock tick. */
export const CLOCK_TICK_MS = 20
/** Number of files that are read at once. */
export const PARALLEL = 16
