import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { openPromptHistory } from "./prompt-history.ts"

let file: string

beforeEach(async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-history-"))
  file = join(directory, "data", "prompts.jsonl")
  onTestFinished(() => rm(directory, { recursive: true }))
})

const opened = (limits: { maxEntries?: number; maxBytes?: number } = {}) =>
  openPromptHistory({ file, mask: (text) => text.replaceAll("hunter2", "[secret]"), now: () => 1, ...limits })

describe("the prompt history", () => {
  it("returns the prompts of all processes, oldest first, without secrets", async () => {
    await opened().add("one\nwith two lines")
    await opened().add("log in with hunter2")

    expect(await opened().read()).toEqual(["one\nwith two lines", "log in with [secret]"])
    expect(await readFile(file, "utf8")).not.toContain("hunter2")
  })

  it("is empty without a file, and says why it cannot be read", async () => {
    expect(await opened().read()).toEqual([])
    await mkdir(file, { recursive: true })
    await expect(opened().read()).rejects.toThrow("EISDIR")
  })

  it("is readable for its owner only", async () => {
    await opened().add("one")

    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it("keeps the lines of many that add at once, also while a file gets full", async () => {
    const histories = Array.from({ length: 8 }, () => opened({ maxEntries: 60 }))
    await Promise.all(
      histories.map(async (history, at) => {
        for (let count = 0; count < 10; count++) await history.add(`${at}-${count}`)
      }),
    )

    const prompts = await opened().read()

    expect(new Set(prompts).size).toBe(80)
  })

  it("is bounded in entries and bytes", async () => {
    const history = opened({ maxEntries: 10, maxBytes: 64 * 1024 })
    for (let count = 0; count < 55; count++) await history.add(`prompt ${count}`)
    await history.add("x".repeat(1024 * 1024))

    const prompts = await history.read()

    expect(prompts.length).toBeLessThanOrEqual(20)
    expect(prompts.at(-1)).toBe("prompt 54")
    expect((await readdir(join(file, ".."))).length).toBeLessThanOrEqual(2)
  })

  it("ignores lines that are cut off", async () => {
    await opened().add("one")
    await writeFile(file, '{"prompt":"cut', { flag: "a" })

    expect(await opened().read()).toEqual(["one"])
  })
})
