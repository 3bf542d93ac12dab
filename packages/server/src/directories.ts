import { realpath, stat } from "node:fs/promises"
import { isAbsolute, sep } from "node:path"
import type { SessionID } from "@pawl/core"
import type { Hono } from "hono"
import { createServerApp } from "./app.ts"
import type { OtherDirectories } from "./app-context.ts"
import type { CommitFollower, FollowedStorage } from "./events/commit-follower.ts"
import type { EventLog } from "./events/event-log.ts"
import type { ServerHost } from "./host.ts"
import { isInside } from "./request-directory.ts"
import { RequestError } from "./request-error.ts"
import { createServerEvents, type ServerEvents, type SharedEvents } from "./events/server-events.ts"
import { createPendingSignIns } from "./sign-in/pending-sign-ins.ts"
import { createTerminals, type Terminals, type TerminalSpace } from "./terminals/terminals.ts"

/** An engine that works in a directory, with what its routes need. */
export interface ServedDirectory {
  readonly host: ServerHost
  /** Followed for the commits of other processes. If missing, clients only see what this engine does. */
  readonly storage?: FollowedStorage
  close(): Promise<void>
}

export interface DirectoriesOptions {
  /** Opens an engine for a directory. Its real path is given. */
  readonly open: (directory: string) => Promise<ServedDirectory>
  readonly events: SharedEvents & { readonly log: EventLog }
  readonly commits: Pick<CommitFollower, "follow">
  readonly terminals: TerminalSpace
  /** The directory that stays open while a client follows the events of all directories. */
  readonly first: string
  /** A directory without requests, runs and terminals is closed after this time. Default: 30 minutes */
  readonly maxIdleMs?: number
  /** Maximum number of open directories. Default: 32 */
  readonly maxOpen?: number
}

export interface OpenDirectory {
  readonly app: Hono
  readonly host: ServerHost
}

/** The directories of a server. Each is opened with its first request. */
export interface Directories {
  /**
   * Calls the function with an open directory, which stays open meanwhile. Rejects with RequestError if the path is not
   * an absolute path of a directory, and with the reason if it cannot be opened.
   */
  use<T>(path: string, work: (directory: OpenDirectory) => Promise<T>): Promise<T>
  /** Returns the directory whose engine works on a session; undefined if none does. */
  workingOn(sessionID: SessionID): string | undefined
  /** Returns the sessions that engines of open directories work on. */
  working(): SessionID[]
  /** Watches project files of all open directories until the returned function is called. */
  watchFiles(): () => void
  /** Closes one directory. Its runs are aborted. */
  dispose(path: string): Promise<void>
  /** Closes all directories. Further requests open them again. */
  closeAll(): Promise<void>
  /** Closes all directories. Further requests are rejected. */
  close(): Promise<void>
}

interface Entry {
  readonly opening: Promise<OpenDirectory & { readonly events: ServerEvents; readonly close: () => Promise<void> }>
  events?: ServerEvents
  terminals?: Terminals | undefined
  requests: number
  lastUsed: number
}

const IDLE_MS = 30 * 60_000
const MAX_OPEN = 32
const MAX_PATH = 4096

export function createDirectories({
  open,
  events: shared,
  commits,
  terminals: space,
  first,
  maxIdleMs = IDLE_MS,
  maxOpen = MAX_OPEN,
}: DirectoriesOptions): Directories {
  const entries = new Map<string, Entry>()
  const watchers = new Set<Map<string, () => void>>()
  let isClosed = false
  const sweep = setInterval(() => void closeIdle(maxIdleMs), Math.max(Math.min(maxIdleMs / 2, 60_000), 10))
  sweep.unref()

  function begin(directory: string): Entry {
    const opening = open(directory).then((served) => {
      const { host } = served
      const events = createServerEvents(host.engine, host, shared)
      const unfollow = served.storage ? commits.follow(served.storage) : undefined
      entry.events = events
      for (const watcher of watchers) watcher.set(directory, events.watchFiles())
      const { terminals: needs } = host
      const terminals = needs && createTerminals({ ...host, terminals: needs }, events, space)
      entry.terminals = terminals
      const signIns = createPendingSignIns(host)
      const app = createServerApp(host, events, { isRouted: true, signIns, terminals, others })
      const close = async () => {
        unfollow?.()
        signIns.close()
        await Promise.all([served.close(), terminals?.close()])
      }
      return { app, host, events, close }
    })
    const entry: Entry = { opening, requests: 0, lastUsed: performance.now() }
    entries.set(directory, entry)
    // A directory that could not be opened is tried again with the next request.
    opening.catch(() => entries.delete(directory))
    return entry
  }

  async function end(directory: string, { opening }: Entry): Promise<void> {
    entries.delete(directory)
    const opened = await opening.catch(() => undefined)
    if (!opened) return
    for (const watcher of watchers) {
      watcher.get(directory)?.()
      watcher.delete(directory)
    }
    await opened.close()
    opened.events.close()
  }

  function entriesIn(parent: string): (readonly [string, Entry])[] {
    return [...entries].filter(([directory]) => isInside(parent, directory))
  }

  const others: OtherDirectories = {
    hasTerminals: (directory) => entriesIn(directory).some(([, { terminals }]) => terminals && terminals.size > 0),
    async close(directory) {
      await Promise.all(entriesIn(directory).map(([path, entry]) => end(path, entry)))
    },
    async reload() {
      // One directory that cannot be opened or reloaded does not concern the others.
      await Promise.allSettled([...entries.values()].map(async ({ opening }) => (await opening).host.reload?.()))
    },
  }

  function isIdle({ requests, events, terminals }: Entry): boolean {
    if (requests > 0 || !events || events.statuses.size > 0) return false
    if (terminals && terminals.size > 0) return false
    if (events.directory === first && shared.log.isStreaming(undefined)) return false
    return !shared.log.isStreaming(events.directory)
  }

  async function closeIdle(idleMs: number): Promise<boolean> {
    const now = performance.now()
    const idle = [...entries].filter(([, entry]) => isIdle(entry) && now - entry.lastUsed >= idleMs)
    await Promise.all(idle.map(([directory, entry]) => end(directory, entry)))
    return idle.length > 0
  }

  async function makeSpace(): Promise<void> {
    if (entries.size < maxOpen) return
    const [oldest] = [...entries]
      .filter(([, entry]) => isIdle(entry))
      .toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed)
    if (!oldest) throw new RequestError("Query", `This server already works in ${maxOpen} directories.`)
    await end(...oldest)
  }

  async function closeAll(): Promise<void> {
    await Promise.all([...entries].map(([directory, entry]) => end(directory, entry)))
  }

  return {
    closeAll,
    async use(path, work) {
      const directory = await realDirectory(path)
      if (isClosed) throw new RequestError("Query", "This server is stopping.")
      if (!entries.has(directory)) await makeSpace()
      const entry = entries.get(directory) ?? begin(directory)
      entry.requests++
      try {
        return await work(await entry.opening)
      } finally {
        entry.requests--
        entry.lastUsed = performance.now()
      }
    },
    workingOn(sessionID) {
      for (const [directory, { events }] of entries) if (events?.statuses.has(sessionID)) return directory
      return undefined
    },
    working: () => [...entries.values()].flatMap(({ events }) => [...(events?.statuses.keys() ?? [])]),
    watchFiles() {
      const watcher = new Map<string, () => void>()
      watchers.add(watcher)
      for (const [directory, { events }] of entries) if (events) watcher.set(directory, events.watchFiles())
      return () => {
        watchers.delete(watcher)
        for (const unwatch of watcher.values()) unwatch()
      }
    },
    async dispose(path) {
      const directory = await realDirectory(path)
      const entry = entries.get(directory)
      if (entry) await end(directory, entry)
    },
    async close() {
      isClosed = true
      clearInterval(sweep)
      await closeAll()
    },
  }
}

async function realDirectory(path: string): Promise<string> {
  if (path.length > MAX_PATH || path.includes("\0") || !isAbsolute(path)) {
    throw new RequestError("Query", `"${path.slice(0, 200)}" is not an absolute path of a directory.`)
  }
  const real = await realpath(path).catch(() => undefined)
  const isDirectory = real !== undefined && (await stat(real)).isDirectory()
  if (!isDirectory) throw new RequestError("Query", `There is no directory ${path}.`)
  if (holdsSecrets(real)) throw new RequestError("Query", `${path} may hold secrets, and is not served.`)
  return real
}

/** Directories of the system, and those that hold keys and passwords. The rules of a project name files below a project. */
const SYSTEM = /^\/(?:proc|sys|dev)(?:\/|$)/
const SECRET = new Set([".git", ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".password-store"])

function holdsSecrets(path: string): boolean {
  return SYSTEM.test(path) || path.split(sep).some((segment) => SECRET.has(segment))
}
