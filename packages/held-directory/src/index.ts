export type { HeldDirectory } from "./held-directory.ts"
export { holdDirectory, type HoldOptions } from "./hold-directory.ts"
export { MovedDirectoryError } from "./moved-directory-error.ts"
