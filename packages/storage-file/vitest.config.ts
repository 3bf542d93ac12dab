import { accessSync, constants } from "node:fs"
import { mergeConfig } from "vitest/config"
import base from "../../vitest.base.ts"

// Thousands of small files are made and removed. What they are on does not matter to the tests, and on a disk that others
// use, too, it is most of the time.
export default mergeConfig(base, { test: isWritable("/dev/shm") ? { env: { TMPDIR: "/dev/shm" } } : {} })

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}
