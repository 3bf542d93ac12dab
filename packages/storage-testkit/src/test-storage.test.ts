import type { MaintainedStorage } from "@pawl/core/storage"
import { describe, expect, it, type RunnerTask, vi } from "vitest"
import type { Need } from "./section.ts"
import { storageSections } from "./sections.ts"
import { testStorage } from "./test-storage.ts"

/** The tasks in a suite and in the suites in it. */
function below(task: RunnerTask | undefined): RunnerTask[] {
  return task && "tasks" in task ? task.tasks.flatMap((child) => [child, ...below(child)]) : []
}

const unused = (): MaintainedStorage => {
  throw new Error("Nothing of this suite is to be run.")
}

const lacks: Readonly<Record<Need, string>> = {
  location: "it keeps nothing at a location",
  "counted reads": "it does not count its reads",
  damage: "it has no damage capability",
  fixtures: "there is nothing that an earlier version wrote",
}

describe("testStorage", () => {
  // Registered and all of it skipped: the tests below look at what was registered.
  const skip = storageSections
    .filter(({ needs }) => needs === undefined)
    .map(({ title }) => ({ spec: title, reason: "tested elsewhere" }))
  const print = vi.spyOn(console, "info").mockReturnValue(undefined)
  testStorage("nothing", { open: unused, persistent: false, skip })
  const printed = print.mock.calls.flat()
  print.mockRestore()

  it("prints what is skipped and why, whatever the reporter", () => {
    const reasons = new Set(["tested elsewhere", ...Object.values(lacks)])
    expect(printed).toHaveLength(reasons.size)
    for (const reason of reasons) {
      expect(printed).toContainEqual(expect.stringMatching(`^storage contract: nothing: skipped, ${reason}: `))
    }
  })

  it("registers every spec in its section, and says why one is skipped", ({ task: { file } }) => {
    const expected = storageSections.flatMap(({ title, specs, needs }) => {
      const reason = needs ? lacks[needs] : "tested elsewhere"
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
