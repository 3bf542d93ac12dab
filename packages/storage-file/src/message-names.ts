import type { ProcessIdentity } from "@pawl/storage-kit"
import type { FileChange } from "./file-change.ts"
import type { FileStatus, FileSystem } from "./file-system.ts"
import type { CommitRecords } from "./journal.ts"
import { contextPath, messageDirectory, parentOf } from "./layout.ts"
import { makeParents } from "./make-parents.ts"
import { isPlainName } from "./record-name.ts"

// Which files a session's directory of messages holds from the boundary on, so that a long directory is not listed for
// each context. A listing is believed while the directory is as it was then and no commit has put or removed a message
// since. A writer that knows the listing brings it up to date, and gives the directory a time of its own: whatever
// changes it later, within the same tick of the system's clock even, leaves another.

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
  /** Under the session's lock: moves the commit's files to their places, and keeps what is known of them. */
  follow(id: string, revision: number, files: readonly FileChange[], apply: () => void): void
  /** Writes down what is known, for a process that comes later. */
  save(id: string): void
  forget(id: string): void
}

export interface MessageNamesDeps {
  readonly fs: FileSystem
  readonly self: ProcessIdentity
  /** Returns a path for a file that is moved to its place when it is whole. */
  readonly temporaryPath: () => string
  readonly lastRevision: (id: string) => number
  /** In their order; may hold more than those after the revision. */
  readonly commitsAfter: (id: string, revision: number) => readonly CommitRecords[]
}

/** Sessions whose listings are kept in memory. */
const REMEMBERED = 64

/** Listings that are longer are not kept: reading the messages takes far longer. */
const MAX_NAMES = 10_000

/** So many names spared are worth a file. */
const WORTH_SAVING = 256

/** A directory that changed less than this many milliseconds before it was listed may change again without a new time. */
const SETTLED = 100

export function createMessageNames(deps: MessageNamesDeps): MessageNames {
  const { fs, self, temporaryPath, lastRevision, commitsAfter } = deps
  const remembered = new Map<string, Listing>()
  /** Listings that spare much and are not written down as they are. */
  const unsaved = new Set<string>()

  function remember(id: string, listing: Listing): void {
    remembered.delete(id)
    if (listing.names.length > MAX_NAMES) return
    remembered.set(id, listing)
    const [oldest] = remembered.keys()
    if (remembered.size > REMEMBERED && oldest !== undefined) forget(oldest)
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
      const isSettled = directory !== undefined && Date.now() - directory.changed > SETTLED
      if (!isSettled) return names
      remember(id, { boot: self.boot, from, revision, directory, names })
      if (all.length - names.length < WORTH_SAVING) return names
      unsaved.add(id)
      try {
        save(id)
      } catch {
        // It spares time, and a full disk must not keep anybody from reading.
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

/** Names that are not an id's plainly say nothing of where it belongs. */
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
