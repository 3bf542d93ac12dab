import type { Stats } from "node:fs"
import { stat } from "node:fs/promises"

/** Undefined where nothing is. Rejects where that cannot be seen. */
export async function statusOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))) return undefined
    throw error
  }
}
