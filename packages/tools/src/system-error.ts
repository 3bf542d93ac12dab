/** Is it the error of a file or directory that is not there? */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR")
}

/** Is it a system error with one of these codes? */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code))
}
