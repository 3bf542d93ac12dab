import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"

/** Does the work in a new directory and removes it. */
export async function inNewDirectory<T>(parent: string, work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(parent, "run-"))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
