import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import { describe, expect, it } from "vitest"
import { runSpec } from "./run-spec.ts"
import type { SpecContext, Spec } from "./section.ts"

/** A storage of which nothing is used but its end. */
function recordingStorage(close: () => Promise<void> = async () => {}) {
  const [opened, closed]: [string[], string[]] = [[], []]
  const open = (location: string) => {
    opened.push(location)
    mkdirSync(location, { recursive: true })
    return {
      location,
      close: () => (closed.push(location), close()),
    } as Partial<MaintainedStorage> as MaintainedStorage
  }
  return { open, opened, closed }
}

function spec(run: (place: SpecContext) => Promise<void>): Spec {
  return { name: "does something", run }
}

describe("runSpec", () => {
  it("opens a storage at a place of its own, the same again and others elsewhere", async () => {
    const { open, opened } = recordingStorage()
    const locations: string[] = []
    const opening = spec(async ({ storage, reopen, openElsewhere }) => {
      const handles = [storage, await reopen(), await openElsewhere(), await openElsewhere()]
      locations.push(...handles.map(({ location }) => location))
    })
    await runSpec(opening, open)
    expect(locations).toEqual(opened)
    const [here, again, ...elsewhere] = opened
    expect(again).toBe(here)
    expect(new Set([here, ...elsewhere]).size).toBe(3)

    await runSpec(opening, open)
    expect(new Set(opened).size).toBe(6)
  })

  it.each([
    ["passes", async () => {}],
    ["fails", async () => Promise.reject(new Error("broken"))],
  ])("closes what was opened and leaves no file when a spec %s", async (_, end) => {
    const { open, opened, closed } = recordingStorage()
    const ended = runSpec(
      spec(async ({ reopen, openElsewhere }) => {
        await Promise.all([reopen(), openElsewhere()])
        await end()
      }),
      open,
    )
    await Promise.allSettled([ended])
    expect(opened).toHaveLength(3)
    expect(closed).toEqual(opened)
    expect(existsSync(dirname(String(opened[0])))).toBe(false)
  })

  it("fails with the spec's error, even when no storage can be closed", async () => {
    const { open, closed } = recordingStorage(async () => Promise.reject(new Error("cannot be closed")))
    const failing = spec(async ({ reopen }) => {
      await reopen()
      throw new Error("broken")
    })
    await expect(runSpec(failing, open)).rejects.toThrow("broken")
    expect(closed).toHaveLength(2)
    expect(existsSync(dirname(String(closed[0])))).toBe(false)
  })

  it("fails when a storage cannot be closed", async () => {
    const { open } = recordingStorage(async () => Promise.reject(new Error("cannot be closed")))
    await expect(
      runSpec(
        spec(async () => {}),
        open,
      ),
    ).rejects.toThrow("cannot be closed")
  })

  it("fails when a storage cannot be opened, and closes what could", async () => {
    const { open, opened, closed } = recordingStorage()
    const once = (location: string) => {
      if (opened.length > 0) throw new Error("cannot be opened")
      return open(location)
    }
    const twice = spec(async ({ reopen }) => void (await reopen()))
    await expect(runSpec(twice, once)).rejects.toThrow("cannot be opened")
    expect(closed).toEqual(opened)
  })

  it("counts reads as the storage says, and refuses where it says nothing", async () => {
    const { open } = recordingStorage()
    const counts: number[] = []
    const counting = spec(async ({ storage, countReads }) => void counts.push(countReads(storage)))
    await runSpec(counting, open, { countReads: ({ location }) => location.length })
    expect(counts).toEqual([expect.any(Number)])
    await expect(runSpec(counting, open)).rejects.toThrow("The storage does not count its reads.")
  })

  it("damages what is kept at the place, and refuses where nobody can", async () => {
    const { open, opened } = recordingStorage()
    const damaged: unknown[] = []
    const damaging = spec(({ damage }) => damage({ sessionID: "ses_1" }, "7"))
    await runSpec(damaging, open, { damage: (...all) => void damaged.push(all) })
    expect(damaged).toEqual([[opened[0], { sessionID: "ses_1" }, "7"]])
    await expect(runSpec(damaging, open)).rejects.toThrow("This storage has no damage capability.")
  })

  it("opens copies of what earlier versions wrote, each at one location", async () => {
    const directory = mkdtempSync(join(tmpdir(), "pawl-fixture-"))
    const path = join(directory, "first")
    mkdirSync(path)
    writeFileSync(join(path, "record"), "kept")
    writeFileSync(`${path}.json`, JSON.stringify({ sessions: [], blobs: {} }))
    const { open, opened } = recordingStorage()
    const opening = spec(async ({ placeFixtures }) => {
      const [fixture] = await placeFixtures()
      expect(fixture?.description).toEqual({ sessions: [], blobs: {} })
      const [one, two] = [await fixture?.open(), await fixture?.open()]
      expect(two?.location).toBe(one?.location)
      expect(readdirSync(String(one?.location))).toEqual(["record"])
      rmSync(join(String(one?.location), "record"))
    })
    await runSpec(opening, open, { fixtures: [{ name: "first", path }] })
    expect(opened).toHaveLength(3)
    expect(existsSync(join(path, "record"))).toBe(true)
    rmSync(directory, { recursive: true })
  })
})
