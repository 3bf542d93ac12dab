import { lstat, opendir, unlink } from "node:fs/promises"
import { join } from "node:path"
import { hasCode, isMissing } from "../paths.ts"
import { isOutputName } from "./output-file.ts"

const DAY_MS = 24 * 60 * 60 * 1000

/** How long the file of a full output is kept, in milliseconds. */
export const OUTPUT_MAX_AGE = 7 * DAY_MS

export interface OldOutputsOptions {
  /** Milliseconds since the last write. Default: 7 days. */
  readonly maxAge?: number
  readonly now?: () => number
  /** Stops before the next file. */
  readonly signal?: AbortSignal
}

export interface RemovedOutputs {
  readonly files: number
  readonly bytes: number
  /** Paths of files that could not be removed. */
  readonly failed: readonly string[]
}

/**
 * Removes outputs in `directory` that were last written `maxAge` ago or earlier. Files with other names, links and
 * directories are kept. Several processes may do this at the same time. Rejects if the directory exists but cannot be
 * read.
 */
export async function removeOldOutputs(directory: string, options: OldOutputsOptions = {}): Promise<RemovedOutputs> {
  const { maxAge = OUTPUT_MAX_AGE, now = Date.now, signal } = options
  const failed: string[] = []
  let [files, bytes] = [0, 0]
  for await (const name of outputNames(directory)) {
    if (signal?.aborted) break
    const path = join(directory, name)
    try {
      const stats = await lstat(path)
      if (!stats.isFile() || now() - stats.mtimeMs < maxAge) continue
      await unlink(path)
      files++
      bytes += stats.size
    } catch (error) {
      // Another process may have removed it first.
      if (!isMissing(error)) failed.push(path)
    }
  }
  return { files, bytes, failed }
}

async function* outputNames(directory: string): AsyncGenerator<string> {
  const entries = await opendir(directory).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return []
    throw error
  })
  for await (const { name } of entries) if (isOutputName(name)) yield name
}
