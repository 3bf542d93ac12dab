import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { readCalls, recordCalls } from "./call-record.ts"

const called = (id: string, count: number, p95 = 1, failures = 0) => ({
  id,
  calls: { event: { count, failures, p95 } },
})

it("adds up what plugins did, and knows how long it took last", async () => {
  const data = join(await temporaryDirectory(), "data")

  await recordCalls(data, [called("a", 2, 5, 1), { id: "idle", calls: {} }])
  await recordCalls(data, [
    { id: "a", calls: { ...called("a", 3, 2).calls, dispose: { count: 1, failures: 0, p95: 0 } } },
  ])

  expect(Object.fromEntries(await readCalls(data))).toEqual({
    a: { event: { count: 5, failures: 1, p95: 2 }, dispose: { count: 1, failures: 0, p95: 0 } },
  })
})

it("loses nothing of several that write at the same time, and leaves nothing beside it", async () => {
  const data = await temporaryDirectory()

  await Promise.all(Array.from({ length: 8 }, () => recordCalls(data, [called("a", 1)])))

  expect((await readCalls(data)).get("a")?.["event"]?.count).toBe(8)
  expect(await readdir(data)).toEqual(["plugin-calls.json"])
})

it("writes nothing where nothing was called", async () => {
  const data = await temporaryDirectory()
  await recordCalls(data, [{ id: "idle", calls: {} }])

  expect(await readdir(data)).toEqual([])
})

it("forgets the plugins that were called longest ago", async () => {
  const data = await temporaryDirectory()
  await recordCalls(data, [called("old", 1), called("kept", 1)])
  await recordCalls(data, [called("kept", 1), ...Array.from({ length: 99 }, (_, at) => called(`p${at}`, 1))])

  const known = await readCalls(data)
  expect(known.size).toBe(100)
  expect(known.has("old")).toBe(false)
  expect(known.get("kept")?.["event"]?.count).toBe(2)
})

it.each([
  "",
  "null",
  "[]",
  '{"version":2,"plugins":[]}',
  '{"version":1,"plugins":[{"id":"a","calls":{"event":{"count":"9"}}}]}',
])("knows nothing of a file that holds %j, and writes it anew", async (text) => {
  const data = await temporaryDirectory()
  await writeFile(join(data, "plugin-calls.json"), text)

  expect((await readCalls(data)).size).toBe(0)
  await recordCalls(data, [called("a", 1)])
  expect((await readCalls(data)).size).toBe(1)
})
