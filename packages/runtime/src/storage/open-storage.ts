import { hidePasswords } from "@pawl/config/hide-passwords"
import type { MaintainedStorage } from "@pawl/core/storage"
import { UsageError } from "@pawl/config/usage-error"
import type { StorageChoice } from "../config/storage-choice.ts"

export interface OpenOptions {
  /** Called with a message for the user, such as that a server is waited for. */
  readonly onNotice?: ((message: string) => void) | undefined
}

interface StoragePackage {
  readonly openStorage: (url: string, options?: OpenOptions) => Promise<MaintainedStorage>
}

/** Loaded when chosen. */
const packages = new Map<string, () => Promise<StoragePackage>>([
  ["sqlite", () => import("@pawl/storage-sqlite")],
  ["file", () => import("@pawl/storage-file")],
  ["memory", () => import("@pawl/storage-memory")],
  ["postgres", () => import("@pawl/storage-postgres")],
  ["postgresql", () => import("@pawl/storage-postgres")],
])

/** Opens the selected storage. Rejects with a StorageError, or with a UsageError for an unknown URL. */
export async function openStorage(choice: StorageChoice, options: OpenOptions = {}): Promise<MaintainedStorage> {
  const [, scheme = ""] = /^([a-z][a-z\d+.-]*):/i.exec(choice.url) ?? []
  if (scheme.toLowerCase() === "npm") {
    const { openThirdParty } = await import("./third-party.ts")
    return openThirdParty(choice)
  }
  const load = packages.get(scheme.toLowerCase())
  if (!load) throw unknownScheme(choice)
  requirePlace(choice, scheme)
  const { openStorage: open } = await load()
  return open(choice.url, options)
}

/** A file and a directory have no place that could be meant where none is named. */
function requirePlace({ url, source }: StorageChoice, scheme: string): void {
  const example = { sqlite: "sqlite:/var/lib/pawl/pawl.db", file: "file:/var/lib/pawl" }[scheme.toLowerCase()]
  if (example === undefined || /[^/]/.test(url.slice(scheme.length + 1))) return
  const what = scheme.toLowerCase() === "sqlite" ? "SQLite file" : "directory"
  throw new UsageError(`${source}: "${url}" names no ${what}.`, `Write ${example}, or another path.`)
}

function unknownScheme({ url, source }: StorageChoice): UsageError {
  return new UsageError(
    `${source}: "${hidePasswords(url)}" is no storage that pawl knows.`,
    "Known: sqlite:<file>, file:<directory>, memory:, postgres://<user>@<host>/<database>, npm:<package>#<url>",
  )
}
