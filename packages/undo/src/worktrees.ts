import { realpath } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname } from "node:path"
import { type ListedFile, type Listing, type ListingDeps, listFiles } from "./listing.ts"
import { QUICK_LISTING_MS } from "./limits.ts"
import { findRepository } from "./repository.ts"

/** Listings in the background take at most a third of the time, however many sessions of a worktree ask for them. */
const REST_FACTOR = 2

/** Listings of worktrees. */
export interface Worktrees {
  /** Begins a listing in the background, unless one is running or has just ended. */
  prepare(root: string): void
  /**
   * Returns the newest listing that began after the last change that was looked for; one that is running is awaited. A
   * listing that takes little time is made again. Undefined if the files of this directory are not listed.
   */
  before(root: string): Promise<Listing | undefined>
  /** Says that files were changed until that time. */
  changed(root: string, time: number): void
  settled(): Promise<void>
}

interface Worktree {
  readonly known: Map<string, ListedFile>
  readonly modes: ListingDeps["modes"]
  readonly indexes: ListingDeps["indexes"]
  running: Promise<Listing | undefined> | undefined
  last: Listing | undefined
  /** Epoch milliseconds until which no listing begins in the background. */
  restsUntil: number
}

export function createWorktrees(deps: Omit<ListingDeps, "known" | "modes" | "indexes">): Worktrees {
  const worktrees = new Map<string, Worktree>()

  function of(root: string): Worktree {
    const worktree = worktrees.get(root) ?? {
      ...{ known: new Map(), modes: new Map(), indexes: new Map() },
      ...{ running: undefined, last: undefined, restsUntil: 0 },
    }
    worktrees.set(root, worktree)
    return worktree
  }

  function list(root: string): Promise<Listing | undefined> {
    const worktree = of(root)
    const running =
      worktree.running ??
      (async () => {
        const start = deps.now()
        try {
          const real = await realpath(root)
          const repository = await findRepository(real, deps.environment)
          if (!repository && isTooWide(real)) return undefined
          worktree.last = await listFiles({ ...deps, ...worktree }, real, repository)
          return worktree.last
        } catch {
          // A directory that is gone has no files.
          return undefined
        } finally {
          worktree.running = undefined
          const end = deps.now()
          worktree.restsUntil = end + REST_FACTOR * (end - start)
        }
      })()
    worktree.running = running
    return running
  }

  return {
    prepare(root) {
      if (deps.now() >= of(root).restsUntil) void list(root)
    },
    async before(root) {
      const worktree = of(root)
      if (worktree.running) await worktree.running
      const { last } = worktree
      const isQuick = last !== undefined && last.time.end - last.time.start <= QUICK_LISTING_MS
      return last === undefined || isQuick ? list(root) : last
    },
    changed(root, time) {
      const worktree = of(root)
      if (worktree.last && worktree.last.time.start < time) worktree.last = undefined
    },
    async settled() {
      await Promise.all([...worktrees.values()].map(async ({ running }) => running))
    },
  }
}

/** A home directory and the root of the file system hold far more than a project. */
function isTooWide(root: string): boolean {
  return root === dirname(root) || root === homedir()
}
