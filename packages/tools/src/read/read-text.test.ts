import { appendFile, open } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { readText } from "./read-text.ts"
import { readUpTo } from "./read-up-to.ts"

const { signal } = new AbortController()

it.runIf(process.platform === "linux")("reads files that do not know their size", async () => {
  await using handle = await open("/proc/self/status")
  const { lines } = await readText(handle, { offset: 1, limit: 1 }, signal)
  expect(lines).toEqual([expect.stringMatching(/^Name:\s+\S+/)])
})

it("comes to an end in a file that grows as it is read", async () => {
  const directory = await testDirectory({ "a.log": "line\n".repeat(100_000) })
  await using handle = await open(join(directory, "a.log"))
  let reads = 0
  // Each read is followed by a write of the same length.
  const growing = new Proxy(handle, {
    get(target, name) {
      if (name !== "read") return Reflect.get(target, name).bind(target) as unknown
      return async (buffer: Buffer, offset: number, length: number) => {
        reads++
        const result = await target.read(buffer, offset, length)
        if (reads < 50) await appendFile(join(directory, "a.log"), "line\n".repeat(50_000))
        return result
      }
    },
  })
  const page = await readText(growing, { offset: 1, limit: 1 }, signal)
  expect(page).toMatchObject({ total: 100_000, isWhole: true })
  expect(reads).toBeLessThan(10)
})

it("reads no more than was asked for", async () => {
  const directory = await testDirectory({ "a.txt": "12345" })
  await using handle = await open(join(directory, "a.txt"))
  expect((await readUpTo(handle, 5))?.toString()).toBe("12345")
  expect(await readUpTo(handle, 4)).toBeUndefined()
})
