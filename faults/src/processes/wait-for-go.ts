import { flushCompileCache } from "node:module"
import { writeSync } from "node:fs"

/**
 * Says that this child is ready and waits until it is told to begin. From then on the process ends with its parent: its
 * standard input is the parent's to close.
 */
export async function waitForGo(): Promise<void> {
  flushCompileCache()
  process.stdin.once("end", () => process.exit(3))
  writeSync(1, "ready\n")
  await new Promise((resolve) => process.stdin.once("data", resolve))
  process.stdin.resume()
  process.stdin.unref()
}
