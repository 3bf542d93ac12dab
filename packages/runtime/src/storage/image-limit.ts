import { mkdir, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { limitImages, MAX_IMAGE_BYTES, type MaintainedStorage } from "@pawl/core/storage"

export interface ImageLimitOptions {
  readonly storage: Pick<MaintainedStorage, "stats" | "gc" | "listSessions" | "readMessages" | "acquire" | "commit">
  /** Directory of the file whose time says when the contents were limited last. */
  readonly directory: string
  readonly signal: AbortSignal
  /** Default: `MAX_IMAGE_BYTES` */
  readonly maxBytes?: number
  readonly now?: () => number
}

const HOUR_MS = 3_600_000
const INTERVAL_MS = 24 * HOUR_MS
/** Until the next try, if the last one was stopped. */
const RETRY_MS = HOUR_MS
const MAX_WORK_MS = 60_000
/** A first request of a model has left by then. */
const DELAY_MS = 10_000

/**
 * Limits the contents that are kept for undo, and removes those that no longer fit. Does nothing if that was done within
 * the last day. Stops after a minute.
 */
export async function limitImagesDaily(options: ImageLimitOptions): Promise<void> {
  const { storage, directory, maxBytes = MAX_IMAGE_BYTES, now = Date.now } = options
  const mark = join(directory, "limited")
  const last = await stat(mark).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  if (now() - last < INTERVAL_MS) return
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(mark, "", { mode: 0o600 })
  const noteTime = (time: number) => utimes(mark, time / 1000, time / 1000)
  await noteTime(now() - INTERVAL_MS + RETRY_MS)
  const { records } = await storage.stats()
  if (records.blob.bytes > maxBytes) {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(MAX_WORK_MS)])
    const { count } = await limitImages(storage, { maxBytes, signal })
    if (count > 0) await storage.gc({ signal })
  }
  await noteTime(now())
}

/** Limits the contents a while after the start and then regularly. Does not keep the process alive. */
export function startImageLimit(options: Omit<ImageLimitOptions, "signal">): { stop(): Promise<void> } {
  const stopped = new AbortController()
  let working: Promise<void> | undefined
  const work = () => {
    // The next hour or run tries again. `pawl storage gc` shows the reason of a failure.
    working = limitImagesDaily({ ...options, signal: stopped.signal }).catch(() => undefined)
  }
  const timers = [setTimeout(work, DELAY_MS).unref(), setInterval(work, HOUR_MS).unref()]
  return {
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      stopped.abort()
      await working
    },
  }
}
