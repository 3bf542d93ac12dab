import { chmod, readFile, stat } from "node:fs/promises"

/** Entries by provider, including those of an unknown form. */
export type Entries = ReadonlyMap<string, unknown>

/** Reads the entries of the file; none if it does not exist. Makes a file that others may read readable only by its owner. */
export async function readEntries(path: string): Promise<Entries> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (text === undefined) return new Map()
  if (process.platform !== "win32" && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
  const value = parsed(text)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${path} is not a JSON object of credentials. Repair it, or remove it and sign in again.`)
  }
  return new Map(Object.entries(value))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
