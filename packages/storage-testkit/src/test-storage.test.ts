import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { Storage } from "@pawl/core"
import { describe, expect, it, type RunnerTask } from "vitest"
import type { Place, Spec } from "./section.ts"
import { storageSections } from "./sections.ts"
import { runSpec, testStorage } from "./test-storage.ts"

/** A storage of which nothing is used but its end. */
function recordingStorage(close: () => Promise<void> = async () => {}) {
  const [opened, closed]: [string[], string[]] = [[], []]
  const open = (location: string) => {
    opened.push(location)
    mkdirSync(location, { recursive: true })
    return { location, close: () => (closed.push(location), close()) } as Partial<Storage> as Storage
  }
  return { open, opened, closed }
}

function spec(run: (place: Place) => Promise<void>): Spec {
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
})

/** The tasks in a suite and in the suites in it. */
function below(task: RunnerTask | undefined): RunnerTask[] {
  return task && "tasks" in task ? task.tasks.flatMap((child) => [child, ...below(child)]) : []
}

const unused = (): Storage => {
  throw new Error("Nothing of this suite is to be run.")
}

describe("testStorage", () => {
  // Registered and all of it skipped: the tests below look at what was registered.
  const skip = storageSections
    .filter(({ persistent }) => !persistent)
    .map(({ title }) => ({ spec: title, reason: "tested elsewhere" }))
  testStorage("nothing", { open: unused, persistent: false, skip })

  it("registers every spec in its section, and says why one is skipped", ({ task: { file } }) => {
    const expected = storageSections.flatMap(({ title, specs, persistent }) => {
      const reason = persistent ? "it keeps nothing at a location" : "tested elsewhere"
      return specs.map(({ name }) => [title, "skip", `${name} (skipped: ${reason})`])
    })
    const contract = below(file).find(({ name }) => name === "storage contract: nothing")
    const registered = below(contract).flatMap((section) => {
      return below(section).map(({ mode, name }) => [section.name, mode, name])
    })
    expect(registered).toEqual(expected)
  })

  it("refuses to skip what it does not know, or without a reason", () => {
    const skipping = (name: string, reason: string) => () => {
      testStorage("refused", { open: unused, skip: [{ spec: name, reason }] })
    }
    expect(skipping("two writers", "one process only")).toThrow(
      '"two writers" is to be skipped, but no spec or section has that name.',
    )
    expect(skipping("blobs", " ")).toThrow('"blobs" is to be skipped without a reason. Give one.')
  })
})
