import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Storage } from "@pawl/core"
import { describe, it } from "vitest"
import type { Place, Spec } from "./section.ts"
import { storageSections } from "./sections.ts"

export interface StorageUnderTest {
  /**
   * Opens the storage kept at `location`, a path that is free to use: a file, a directory or, hashed, a name. Opening
   * the same location again gives another handle on the same record.
   */
  readonly open: (location: string) => Storage | Promise<Storage>
  /** False: every `open` is an empty storage, whatever the location. Default: true. */
  readonly persistent?: boolean
  /** What is left out, by the name of a spec or the title of a section. The reason stands in the test's name. */
  readonly skip?: readonly { readonly spec: string; readonly reason: string }[]
}

/** Registers the contract's tests for one implementation with vitest. */
export function testStorage(name: string, { open, persistent = true, skip = [] }: StorageUnderTest): void {
  for (const { spec, reason } of skip) requireSkip(spec, reason)

  describe(`storage contract: ${name}`, () => {
    for (const section of storageSections) {
      const whole = skip.find(({ spec }) => spec === section.title)?.reason
      const reasonless = section.persistent && !persistent ? "it keeps nothing at a location" : undefined
      describe(section.title, () => {
        for (const spec of section.specs) {
          const reason = skip.find((skipped) => skipped.spec === spec.name)?.reason ?? whole ?? reasonless
          if (reason === undefined) it(spec.name, () => runSpec(spec, open))
          else it.skip(`${spec.name} (skipped: ${reason})`)
        }
      })
    }
  })
}

/**
 * Runs one spec against storages of its own, and closes and removes them whatever happens. Rejects when the contract is
 * broken: with the spec's error, or else with that of a storage which could not be closed.
 */
export async function runSpec(spec: Spec, open: StorageUnderTest["open"]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-storage-"))
  const opened: Storage[] = []
  const openAt = async (location: string) => {
    const storage = await open(join(directory, location))
    opened.push(storage)
    return storage
  }
  try {
    const [ran] = await Promise.allSettled([runIn(spec, openAt)])
    const closed = await Promise.allSettled(opened.map(async (storage) => storage.close()))
    for (const end of [ran, ...closed]) if (end.status === "rejected") throw end.reason
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function runIn(spec: Spec, openAt: (location: string) => Promise<Storage>): Promise<void> {
  let elsewhere = 0
  const place: Place = {
    storage: await openAt("here"),
    reopen: () => openAt("here"),
    openElsewhere: () => openAt(`elsewhere-${++elsewhere}`),
  }
  await spec.run(place)
}

function requireSkip(name: string, reason: string): void {
  const isKnown = storageSections.some(({ title, specs }) => title === name || specs.some((spec) => spec.name === name))
  if (!isKnown) throw new Error(`"${name}" is to be skipped, but no spec or section has that name.`)
  if (reason.trim() === "") throw new Error(`"${name}" is to be skipped without a reason. Give one.`)
}
