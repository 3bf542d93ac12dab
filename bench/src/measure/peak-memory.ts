import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Scratch } from "./scratch.ts"

const hook = fileURLToPath(new URL("./report-peak-memory.mjs", import.meta.url))

/**
 * Returns the peak resident memory of a process in MiB. `run` must start it with the given options and environment and
 * wait for its end.
 */
export async function peakMemory(
  scratch: Scratch,
  run: (options: readonly string[], environment: NodeJS.ProcessEnv) => unknown,
): Promise<number> {
  const file = join(await scratch.folder(), "peak")
  run(["--import", hook], { PEAK_MEMORY_FILE: file })
  return Number(await readFile(file, "utf8")) / 1024
}
