/**
 * Runs `load` with this variable of the process removed if it is blank. Some SDKs read their base URL from it during
 * import and throw if it is blank, even if it is not needed.
 */
export async function withoutBlank<T>(variable: string, load: () => Promise<T>): Promise<T> {
  const value = process.env[variable]
  if (value === undefined || value.trim() !== "") return load()
  delete process.env[variable]
  try {
    return await load()
  } finally {
    process.env[variable] ??= value
  }
}
