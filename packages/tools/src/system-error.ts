export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR")
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code))
}
