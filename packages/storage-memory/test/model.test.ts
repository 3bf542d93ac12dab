import { checkStorageModel, testStorageModel } from "@pawl/storage-testkit"
import { describe, expect, it } from "vitest"
import { memoryStorage } from "../src/memory-storage.ts"
import type { Open } from "./located-memory.ts"
import { faults } from "./faults.ts"
import { locatedMemory } from "./located-memory.ts"

testStorageModel("located memory", { open: locatedMemory().open, reference: memoryStorage })

/** Faults that random steps come across, by section. */
const found: Readonly<Record<string, readonly string[]>> = {
  "round trip": ["replaces lone surrogates", "keeps 15 digits of a number"],
  "replace by id": ["removes the parts of a message that is replaced"],
  "session.patch": ["keeps a removed field as null"],
  "atomic commit": ["commits one write after another"],
  revisions: ["counts failed commits"],
  "changes after a revision": ["says nothing of removals"],
  boundary: ["reads a context from the beginning", "brings removed parts back"],
  "listing sessions": ["begins each page with the last session of the page before", "ignores the limit"],
  removal: ["keeps the sessions below a removed one"],
  leases: [
    "does not look at the lease of a commit",
    "takes everybody for one owner",
    "keeps a session that is released",
  ],
  "stale owners": ["takes everything once the session is released"],
  "blob references": ["never forgets a reference", "looks for references in parts only"],
  "collecting blobs": ["collects young blobs"],
  "search by words": ["ignores accents", "takes letters as they are composed"],
  "search among sessions": ["finds for ever what was once written", "searches contexts only"],
  verify: ["remembers what was missing once"],
  rebuild: ["writes the records anew"],
  "reopen after close": ["forgets leases"],
  "two writers on one location": ["remembers what it has read", "counts its own commits"],
}

describe.each(Object.entries(found))("%s", (title, names) => {
  it.each(names)("random steps notice a storage that %s", async (name) => {
    await expect(check(breaking(title, name), false)).rejects.toThrow(/Counterexample: \[/)
  })
})

it("tells the seed and the shortest steps that show a fault", async () => {
  const failure = await check(breaking("collecting blobs", "collects young blobs"), true).catch(String)
  expect(failure).toMatch(/seed: 1\b/)
  expect(failure).toMatch(/Counterexample: \[blobs\.put\(0, "one"\),gc\(0, false\) \/\*/)
})

it("runs the same steps again by the same seed", async () => {
  const open = breaking("revisions", "counts failed commits")
  const [first, second] = [await check(open, false).catch(String), await check(open, false).catch(String)]
  expect(first).toContain("Counterexample")
  expect(second).toBe(first)
})

function breaking(title: string, name: string): Open {
  const some = faults[title]?.find(({ fault }) => fault === name)
  if (!some) throw new Error(`The section "${title}" has no fault "${name}".`)
  return some.open(locatedMemory().open)
}

function check(open: Open, shrink: boolean): Promise<void> {
  return checkStorageModel({ open, reference: memoryStorage, shrink, budget: 10_000 })
}
