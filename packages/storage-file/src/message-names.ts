import type { ProcessIdentity } from "@pawl/storage-kit"
import type { FileChange } from "./file-change.ts"
import type { FileStatus, FileSystem } from "./file-system.ts"
import type { CommitRecords } from "./journal.ts"
import { contextPath, messageDirectory, parentOf } from "./layout.ts"
import { makeParents } from "./make-parents.ts"
import { isPlainName } from "./record-name.ts"

// Caches the names in a session's directory of messages from the boundary on, so that a long directory is not listed
// for each context. A cached listing is valid while the directory has the same time and no commit has added or removed
// a message. A writer updates the listing and sets the directory's time to a value of its own, so that each later
// change, even within one tick of the system's clock, gives another time.

interface Listing {
  readonly boot: string
  /** Names of plain ids before this one are left out. */
  readonly from: string
  readonly revision: number
  readonly directory: FileStatus
  readonly names: readonly string[]
}

export interface MessageNames {
  /** The names in the session's directory of messages; those before `from` may be left out. */
  from(id: string, from: string): readonly string[]
  /** Renames the commit's files to their paths and updates the cache. Called under the session's lock. */
  follow(id: string, revision: number, files: readonly FileChange[], apply: () => void): void
  /** Writes the cached listing to a file for later processes. */
  save(id: string): void
  forget(id: string): void
}

export interface MessageNamesDeps {
  readonly fs: FileSystem
  readonly self: ProcessIdentity
  /** Returns a path for a temporary file. */
  readonly temporaryPath: () => string
  readonly lastRevision: (id: string) => number
  /** In ascending order. May also contain earlier commits. */
  readonly commitsAfter: (id: string, revision: number) => readonly CommitRecords[]
}

/** Number of sessions whose listings are kept in memory. */
const MAX_CACHED_SESSIONS = 64

/** Maximum length of a cached listing. Beyond it, reading the messages takes far longer than listing them. */
const MAX_NAMES = 10_000

/** Minimum number of names that make a file worthwhile. */
const MIN_SAVED_NAMES = 256

/** A directory that changed more recently than this, in milliseconds, may change again without a new time. */
const SETTLED_MS = 100

export function createMessageNames(deps: MessageNamesDeps): MessageNames {
  const { fs, self, temporaryPath, lastRevision, commitsAfter } = deps
  const remembered = new Map<string, Listing>()
  /** Sessions whose listing is long enough for a file and has not been written yet. */
  const unsaved = new Set<string>()

  function remember(id: string, listing: Listing): void {
    remembered.delete(id)
    if (listing.names.length > MAX_NAMES) return
    remembered.set(id, listing)
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_CACHED_SESSIONS && oldest !== undefined) forget(oldest)
  }

  function forget(id: string): void {
    remembered.delete(id)
    unsaved.delete(id)
  }

  /** Returns the cached listing if it is valid for the revision. */
  function current(id: string, revision: number): Listing | undefined {
    const status = fs.status(messageDirectory(id))
    const isOf = (listing: Listing | undefined): listing is Listing =>
      status !== undefined && listing !== undefined && isSameDirectory(listing.directory, status)
    const known = remembered.get(id)
    const listing = isOf(known) ? known : load(id)
    if (!isOf(listing)) return undefined
    if (revision < listing.revision) return undefined
    const later = revision === listing.revision ? [] : commitsAfter(id, listing.revision)
    const isChanged = later.some((commit) => {
      return commit.revision > listing.revision && commit.revision <= revision && changesMessages(commit)
    })
    if (isChanged) return undefined
    const held = { ...listing, revision }
    remember(id, held)
    return held
  }

  function load(id: string): Listing | undefined {
    try {
      const listing: unknown = JSON.parse(fs.readFile(contextPath(id))?.toString() ?? "null")
      return isListing(listing) && listing.boot === self.boot && self.boot !== "unknown" ? listing : undefined
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  function save(id: string): void {
    const listing = remembered.get(id)
    if (!listing || !unsaved.has(id)) return
    const temporary = temporaryPath()
    makeParents(fs, contextPath(id))
    fs.write(temporary, Buffer.from(JSON.stringify(listing)))
    fs.rename(temporary, contextPath(id))
    unsaved.delete(id)
  }

  return {
    from(id, from) {
      const revision = lastRevision(id)
      const known = current(id, revision)
      if (known && known.from <= from) return known.names
      const directory = fs.status(messageDirectory(id))
      const all = fs.readDirectory(messageDirectory(id)) ?? []
      const names = all.filter((name) => isFrom(name, from))
      const isSettled = directory !== undefined && Date.now() - directory.changed > SETTLED_MS
      if (!isSettled) return names
      remember(id, { boot: self.boot, from, revision, directory, names })
      if (all.length - names.length < MIN_SAVED_NAMES) return names
      unsaved.add(id)
      try {
        save(id)
      } catch {
        // The listing is only a cache, so a full disk must not make reads fail.
      }
      return names
    },
    follow(id, revision, files, apply) {
      const directory = messageDirectory(id)
      const changed = files.filter(([path]) => parentOf(path) === directory)
      const known = changed.length > 0 ? current(id, revision - 1) : undefined
      forget(id)
      apply()
      if (!known) return
      const names = new Set(known.names)
      for (const [path, json] of changed) {
        const name = path.slice(directory.length + 1)
        if (json === null) names.delete(name)
        else if (isFrom(name, known.from)) names.add(name)
      }
      fs.touch(directory)
      const status = fs.status(directory)
      if (!status) return
      remember(id, { ...known, revision, directory: status, names: [...names] })
      if (fs.status(contextPath(id))) unsaved.add(id)
    },
    save,
    forget,
  }
}

/** Includes names that are not plain ids, since their order is unknown. */
function isFrom(name: string, from: string): boolean {
  return !isPlainName(name) || name >= from
}

function changesMessages({ records }: CommitRecords): boolean {
  return records.some(([messageID, partID]) => messageID !== "" && partID === "")
}

function isSameDirectory(a: FileStatus, b: FileStatus): boolean {
  return a.inode === b.inode && a.size === b.size && a.changed === b.changed && a.touched === b.touched
}

function isListing(value: unknown): value is Listing {
  return (
    typeof value === "object" &&
    value !== null &&
    "boot" in value &&
    "revision" in value &&
    "directory" in value &&
    typeof value.directory === "object" &&
    value.directory !== null &&
    "names" in value &&
    Array.isArray(value.names) &&
    value.names.every((name) => typeof name === "string")
  )
}
