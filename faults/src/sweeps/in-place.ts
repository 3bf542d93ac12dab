import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"

/** Calls `work` with a new directory, which is removed afterwards. */
export async function inNewDirectory<T>(parent: string, work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(parent, "run-"))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
