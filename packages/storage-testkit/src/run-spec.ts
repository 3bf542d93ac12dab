import { cp, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import type { RecordDescription } from "./fixtures.ts"
import type { SpecContext, StoredFixture, Spec, StoredRecord } from "./section.ts"

/** Opens the storage at a path. */
export type OpenStorage = (location: string) => MaintainedStorage | Promise<MaintainedStorage>

/** A location that an earlier version wrote. */
export interface Fixture {
  /** The version, for the test's name. */
  readonly name: string
  /** A file or a directory, copied before it is opened. `<path>.json` has the expected result of `describeRecord`. */
  readonly path: string
}

/** Optional abilities of a storage. Sections that need a missing one are skipped. */
export interface Capabilities {
  /** False: every `open` returns an empty storage, regardless of the location. Default: true. */
  readonly persistent?: boolean
  /**
   * Returns the number of records (sessions, messages, parts) that a storage has read from its medium since it was
   * opened.
   */
  readonly countReads?: (storage: MaintainedStorage) => number
  /**
   * Replaces the stored JSON of a record in an open location by this text. Sessions belong to the project "project",
   * like the sample sessions.
   */
  readonly damage?: (location: string, record: StoredRecord, text: string) => void | Promise<void>
  readonly fixtures?: readonly Fixture[]
}

export interface StorageUnderTest extends Capabilities {
  /**
   * Opens the storage at `location`, an unused path for a file or a directory, or a name when hashed. Opening the same
   * location again returns another handle on the same data.
   */
  readonly open: OpenStorage
  /** Specs or sections to skip, by name or title. The reason is part of the test's name. */
  readonly skip?: readonly { readonly spec: string; readonly reason: string }[]
}

/**
 * Runs one spec with new storages, and closes and removes them in any case. Rejects if the storage breaks the contract:
 * with the spec's error, or else with the error of closing a storage.
 */
export async function runSpec(spec: Spec, open: OpenStorage, capabilities: Capabilities = {}): Promise<void> {
  await withLocations(open, async (openAt, directory) => {
    await spec.run(await placeIn(directory, openAt, capabilities))
  })
}

/** Creates a temporary directory for `use`, and then closes what was opened in it and removes it. */
export async function withLocations(
  open: OpenStorage,
  use: (openAt: OpenStorage, directory: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-storage-"))
  const opened: MaintainedStorage[] = []
  const openAt = async (location: string) => {
    const storage = await open(join(directory, location))
    opened.push(storage)
    return storage
  }
  try {
    const [used] = await Promise.allSettled([use(openAt, directory)])
    const closed = await Promise.allSettled(opened.map(async (storage) => storage.close()))
    for (const end of [used, ...closed]) if (end.status === "rejected") throw end.reason
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function placeIn(
  directory: string,
  openAt: OpenStorage,
  { countReads, damage, fixtures = [] }: Capabilities,
): Promise<SpecContext> {
  let elsewhere = 0
  return {
    storage: await openAt("here"),
    reopen: async () => openAt("here"),
    openElsewhere: async () => openAt(`elsewhere-${++elsewhere}`),
    countReads(storage) {
      if (!countReads) throw new Error("The storage does not count its reads.")
      return countReads(storage)
    },
    async damage(record, text) {
      if (!damage) throw new Error("This storage has no damage capability.")
      await damage(join(directory, "here"), record, text)
    },
    placeFixtures: () =>
      Promise.all(
        fixtures.map(async ({ name, path }, index): Promise<StoredFixture> => {
          const location = `fixture-${index + 1}`
          await cp(path, join(directory, location), { recursive: true })
          const description = JSON.parse(await readFile(`${path}.json`, "utf8")) as RecordDescription
          return { name, description, open: async () => openAt(location) }
        }),
      ),
  }
}
