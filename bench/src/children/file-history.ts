// Measures a file history in a worktree, once for each message of its parent.
import { writeFile } from "node:fs/promises"
import { memoryStorage } from "@pawl/storage-memory"
import { createFileHistory } from "@pawl/undo"
import type { SessionID } from "@pawl/core"
import { readInput } from "../measure/input.ts"

export interface FileHistoryInput {
  readonly worktree: string
  readonly directory: string
  /** Files that each call changes. */
  readonly files: readonly string[]
}

/** Milliseconds. */
export interface FileHistoryTimes {
  /** From the beginning of a listing in the background until a call may begin. */
  readonly listed: number
  /** From the request of a call until it may begin, when the listing is finished. */
  readonly watched: number
  /** From the end of the call until its changes are known. */
  readonly compared: number
}

const { worktree, directory, files } = readInput() as FileHistoryInput
const history = createFileHistory({ directory, environment: process.env })
const { blobs } = memoryStorage()
const { signal } = new AbortController()
let calls = 0

const watch = () => {
  const sessionID = "ses_measured" as SessionID
  return history.watch({ sessionID, directory: worktree, worktree, key: String(calls++), targets: [], blobs, signal })
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}

async function measure(): Promise<FileHistoryTimes> {
  const [listed, first] = await timed(() => {
    history.prepare({ directory: worktree, worktree })
    return watch()
  })
  await first.end()
  const [watched, call] = await timed(watch)
  for (const file of files) await writeFile(file, `changed by call ${calls}\n`)
  const [compared, { changes }] = await timed(() => call.end())
  if (changes.length !== files.length) throw new Error(`${changes.length} changes were found, not ${files.length}.`)
  return { listed, watched, compared }
}

process.on("message", () => void measure().then((times) => process.send?.(times)))
process.on("disconnect", () => void history.close())
