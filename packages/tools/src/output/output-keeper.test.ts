import { readdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { keepFullOutput, outputKeeper } from "./output-keeper.ts"

it("writes the text to a file of its own that only the owner can read, and says where", async () => {
  const directory = join(await testDirectory(), "outputs")
  const hint = await outputKeeper({ directory })("call_1", "größe\n")
  const [, path = ""] = /^Full output: (.*)\. Use grep to search it or read with offset and limit\.$/.exec(hint) ?? []
  expect(dirname(path)).toBe(directory)
  expect(path).toMatch(/\/tool_call_1_[0-9a-f]{8}\.txt$/)
  expect(await readFile(path, "utf8")).toBe("größe\n")
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
})

it("gives each call its own file", async () => {
  const directory = await testDirectory()
  const keep = outputKeeper({ directory })
  expect(await keep("call_1", "a")).not.toBe(await keep("call_1", "a"))
})

it("stays in its directory whatever a call is named", async () => {
  const directory = await testDirectory()
  const path = await keepFullOutput(directory, `../../../etc/$(touch HIT)${"x".repeat(300)}`, "a")
  expect(await readdir(directory)).toHaveLength(1)
  expect(dirname(path)).toBe(directory)
})

it("takes text in pieces", async () => {
  const directory = await testDirectory()
  async function* pieces() {
    yield "a"
    yield "b"
  }
  expect(await readFile(await keepFullOutput(directory, "call_1", pieces()), "utf8")).toBe("ab")
})

it("keeps a blob as well, or alone where there is no directory", async () => {
  const { blobs } = testContext("/")
  expect(await outputKeeper({ blobs })("call_1", "text")).toContain("not kept in a file")
  expect([...blobs.stored.values()].map(String)).toEqual([String(Buffer.from("text"))])
})

it("tells a model that may delegate to let a subagent look through it", async () => {
  const keep = outputKeeper({ directory: await testDirectory() })
  expect(await keep("call_1", "a", { canDelegate: true })).toMatch(
    /^Full output: .*\.txt\. Delegate .* task tool: .* grep/,
  )
  expect(await keep("call_1", "a", { canDelegate: false })).not.toContain("task tool")
})
