import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Files } from "./disk.ts"

/** Creates the files in an empty directory. */
export async function materialize(directory: string, files: Files): Promise<void> {
  for (const [path, content] of files) {
    const target = join(directory, path)
    await mkdir(content ? dirname(target) : target, { recursive: true })
    if (content) await writeFile(target, content)
  }
}
