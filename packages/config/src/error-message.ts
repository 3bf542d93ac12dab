const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EACCES: "Permission denied",
  EPERM: "Not permitted",
  EROFS: "The file system is read-only",
  ENOSPC: "No space is left on the disk",
  EDQUOT: "The disk quota is used up",
  ENOENT: "No such file or directory",
  EISDIR: "A directory, where a file was wanted",
  EMFILE: "Too many files are open",
  ENAMETOOLONG: "The name is too long",
}

/** Returns the text of an error for the user: without a stack, and with words in place of the system's codes. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as Error & { readonly code?: unknown; readonly path?: unknown }
  const words = typeof code === "string" ? SYSTEM_ERRORS[code] : undefined
  return words === undefined || typeof path !== "string" ? error.message : `${words}: ${path}`
}
