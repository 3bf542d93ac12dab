import { closeSync, fsyncSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"

const PAGES = 50
const PAGE = Buffer.alloc(4096, 1)

/** Returns the milliseconds of several durable writes at the end of a file: the disk's share of a commit. */
export function durableWrites(folder: string): number[] {
  const file = openSync(join(folder, "durable"), "w")
  try {
    return Array.from({ length: PAGES }, () => {
      const start = performance.now()
      writeSync(file, PAGE)
      fsyncSync(file)
      return performance.now() - start
    })
  } finally {
    closeSync(file)
  }
}
