import { lstat, opendir, unlink } from "node:fs/promises"
import { join } from "node:path"
import { hasCode, isMissing } from "../paths.ts"
import { isOutputName } from "./output-file.ts"

const DAY = 24 * 60 * 60 * 1000

/** How long a full output stays as a file, in milliseconds. */
export const OUTPUT_MAX_AGE = 7 * DAY

export interface OldOutputsOptions {
  /** Milliseconds since the last write; default 7 days. */
  readonly maxAge?: number
  /** Epoch milliseconds. */
  readonly now?: () => number
  /** Stops before the next file. */
  readonly signal?: AbortSignal
}

export interface RemovedOutputs {
  readonly files: number
  readonly bytes: number
  /** What could not be removed, by path. */
  readonly failed: readonly string[]
}

/**
 * Removes the full outputs in `directory` that were written `maxAge` ago or earlier. Nothing else goes: neither files of
 * other names nor links, directories, or what lies below them. Several processes may do it at once. Rejects when the
 * directory cannot be read; where there is none, nothing is removed.
 */
export async function removeOldOutputs(directory: string, options: OldOutputsOptions = {}): Promise<RemovedOutputs> {
  const { maxAge = OUTPUT_MAX_AGE, now = Date.now, signal } = options
  const failed: string[] = []
  let [files, bytes] = [0, 0]
  for await (const name of outputNames(directory)) {
    if (signal?.aborted) break
    const path = join(directory, name)
    try {
      const found = await lstat(path)
      if (!found.isFile() || now() - found.mtimeMs < maxAge) continue
      await unlink(path)
      files++
      bytes += found.size
    } catch (error) {
      // Another process was first.
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
