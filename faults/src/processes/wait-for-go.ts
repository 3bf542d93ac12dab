import { flushCompileCache } from "node:module"
import { writeSync } from "node:fs"

/**
 * Reports that this child is ready, and waits for the start signal. Afterwards the process ends with its parent,
 * because the parent's end closes its stdin.
 */
export async function waitForGo(): Promise<void> {
  flushCompileCache()
  process.stdin.once("end", () => process.exit(3))
  writeSync(1, "ready\n")
  await new Promise((resolve) => process.stdin.once("data", resolve))
  process.stdin.resume()
  process.stdin.unref()
}
