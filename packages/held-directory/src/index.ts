export { type HeldDirectory, holdDirectory, type HoldOptions } from "./hold-directory.ts"
export { MovedDirectoryError } from "./moved-directory-error.ts"
