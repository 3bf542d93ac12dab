import { appendFile, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createHash, randomUUID } from "node:crypto"
import type { RecordedChange } from "@pawl/core/host"
import { isAlive } from "./spool.ts"

/** Other sessions that changed files of a worktree while a call ran. */
export interface Others {
  /** Set if a call of another session ran at the same time. */
  readonly isShared: boolean
  /** Hashes that other sessions have recorded for files, by path; null for a removed file. */
  readonly recorded: ReadonlyMap<string, string | null>
}

/** The calls of all processes that are watched in a worktree. */
export interface Windows {
  /** Announces a call. Returns the function that ends it and tells what others did meanwhile. */
  open(sessionID: string, root: string, start: number): Promise<(end: number) => Promise<Others>>
  record(change: RecordedChange, time: number): Promise<void>
}

interface Announced {
  readonly sessionID: string
  readonly pid: number
  readonly start: number
  readonly end?: number
}

interface Entry {
  readonly sessionID: string
  readonly path: string
  readonly hash: string | null
  readonly time: number
}

/** Announcements are removed after an hour. */
const MAX_AGE_MS = 3_600_000
/** A full list of recorded changes begins again. */
const MAX_LIST_BYTES = 4 * 1024 * 1024
/** Part of that list that is read at the end of a call. */
const READ_BYTES = 1024 * 1024

export function createWindows(directory: string): Windows {
  const list = join(directory, "recorded.jsonl")
  /** By path: announcements of calls that are over. They no longer change, so each is read once. */
  const ended = new Map<string, Announced>()
  let making: Promise<unknown> | undefined
  const make = (path: string) => mkdir(path, { recursive: true, mode: 0o700 })

  async function othersOf(folder: string, own: string, { sessionID, start }: Announced, end: number): Promise<Others> {
    let isShared = false
    for (const name of await readdir(folder).catch(() => [])) {
      if (name === own) continue
      const path = join(folder, name)
      const other = ended.get(path) ?? (parsed(await readFile(path, "utf8").catch(() => "")) as Announced | undefined)
      if (!other) continue
      if (other.end !== undefined) ended.set(path, other)
      const isOver = other.end !== undefined || !isAlive(other.pid)
      if (isOver && end - (other.end ?? other.start) > MAX_AGE_MS) {
        await rm(path, { force: true })
        ended.delete(path)
      }
      if (other.sessionID === sessionID || other.start > end) continue
      if (other.end === undefined ? isAlive(other.pid) : other.end >= start) isShared = true
    }
    const recorded = new Map<string, string | null>()
    for (const line of (await tailOf(list)).split("\n")) {
      const entry = parsed(line) as Entry | undefined
      if (entry && entry.sessionID !== sessionID && entry.time >= start) recorded.set(entry.path, entry.hash)
    }
    return { isShared, recorded }
  }

  return {
    async open(sessionID, root, start) {
      const folder = join(directory, createHash("sha256").update(root).digest("hex").slice(0, 16))
      const name = `${randomUUID()}.json`
      const announced = { sessionID, pid: process.pid, start }
      const put = (entry: Announced) => writeFile(join(folder, name), JSON.stringify(entry), { mode: 0o600 })
      await make(folder)
      await put(announced)
      return async (end) => {
        await put({ ...announced, end }).catch(() => undefined)
        return othersOf(folder, name, announced, end)
      }
    },
    async record({ sessionID, path, after }, time) {
      making ??= make(directory)
      await making
      const { size } = await stat(list).catch(() => ({ size: 0 }))
      if (size > MAX_LIST_BYTES) await rm(list, { force: true })
      const entry: Entry = { sessionID, path, hash: after?.hash ?? null, time }
      await appendFile(list, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    },
  }
}

async function tailOf(path: string): Promise<string> {
  const handle = await open(path).catch(() => undefined)
  if (!handle) return ""
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, READ_BYTES)
    const buffer = Buffer.alloc(length)
    await handle.read(buffer, 0, length, size - length)
    return buffer.toString("utf8")
  } finally {
    await handle.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
