import { mkdir, rename, rm, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { testFiles } from "../../test/files.ts"
import { isRelevant, type WatchedSource } from "./relevance.ts"
import { type SourceChange, watchSources } from "./watch-sources.ts"

async function watched(sources: readonly WatchedSource[], quiet = 150) {
  const calls: (readonly SourceChange[])[] = []
  const errors: Error[] = []
  const watch = await watchSources(sources, {
    onChange: (changes) => calls.push(changes),
    onError: (error) => errors.push(error),
    quiet,
  })
  onTestFinished(() => watch.close())
  /** All that was told since the last time, by path and kinds, once something was. */
  const told = async () => {
    await expect.poll(() => calls.length, { interval: 10 }).toBeGreaterThan(0)
    return calls.splice(0).flat()
  }
  return { watch, calls, errors, told }
}

describe("watched sources", () => {
  it("tell in one call what changed, and of what kind it is", async () => {
    const files = await testFiles({
      "plugin/a.ts": "1",
      "plugin/b.ts": "1",
      "plugin/notes.md": "1",
      "config.json": "{}",
      "other.txt": "1",
    })
    const sources = [
      { path: files.path("plugin"), kind: "plugin", accepts: (path: string) => path.endsWith(".ts") },
      { path: files.path("config.json"), kind: "config" },
      { path: files.path("plugin/a.ts"), kind: "tool" },
    ]
    const { told, calls } = await watched(sources, 1500)

    await files.write({
      "plugin/a.ts": "2",
      "plugin/notes.md": "2",
      "config.json": "{ }",
      "other.txt": "2",
      "plugin/c.ts": "1",
    })
    await unlink(files.path("plugin/b.ts"))
    const changes = await told()

    expect(calls).toEqual([])
    expect(changes).toEqual([
      { path: files.path("config.json"), kinds: ["config"], event: "changed" },
      { path: files.path("plugin/a.ts"), kinds: ["plugin", "tool"], event: "changed" },
      { path: files.path("plugin/b.ts"), kinds: ["plugin"], event: "removed" },
      { path: files.path("plugin/c.ts"), kinds: ["plugin"], event: "added" },
    ])
  })

  it("are seen when they and their directories appear later, go away, and come back", async () => {
    const files = await testFiles()
    const path = files.path(".pawl/deep/plugin")
    const { told } = await watched([
      { path, kind: "plugin" },
      { path: files.path("x/config.json"), kind: "config" },
    ])

    await files.write({ ".pawl/deep/plugin/a.ts": "1" })
    expect(await told()).toEqual([{ path: join(path, "a.ts"), kinds: ["plugin"], event: "added" }])
    await files.write({ "x/config.json": "{}" })
    expect(await told()).toEqual([{ path: files.path("x/config.json"), kinds: ["config"], event: "added" }])
    await rm(files.path(".pawl"), { recursive: true })
    expect(await told()).toEqual([{ path: join(path, "a.ts"), kinds: ["plugin"], event: "removed" }])
    await mkdir(path, { recursive: true })
    await writeFile(join(path, "a.ts"), "2")
    expect(await told()).toEqual([{ path: join(path, "a.ts"), kinds: ["plugin"], event: "added" }])
  })

  it("survive editors that write beside a file and rename, again and again", async () => {
    const files = await testFiles({ "a.ts": "0" })
    const { told } = await watched([{ path: files.path("a.ts"), kind: "plugin" }])

    for (const version of ["1", "2", "3"]) {
      await files.write({ "a.ts~": version })
      await rename(files.path("a.ts~"), files.path("a.ts"))
      expect(await told()).toEqual([{ path: files.path("a.ts"), kinds: ["plugin"], event: "changed" }])
    }
  })

  it("can be exchanged for others without missing a change, and stop completely", async () => {
    const files = await testFiles({ "a/x.ts": "0", "b/y.ts": "0" })
    const { watch, told, calls } = await watched([{ path: files.path("a"), kind: "a" }])

    await watch.update([
      { path: files.path("a"), kind: "a" },
      { path: files.path("b"), kind: "b" },
    ])
    await files.write({ "b/y.ts": "1" })
    expect(await told()).toEqual([{ path: files.path("b/y.ts"), kinds: ["b"], event: "changed" }])
    await watch.update([{ path: files.path("b"), kind: "b" }])
    await files.write({ "a/x.ts": "1", "b/y.ts": "2" })
    expect((await told()).map(({ kinds }) => kinds)).toEqual([["b"]])

    await files.write({ "b/y.ts": "3" })
    await watch.close()
    await files.write({ "b/y.ts": "4" })
    await sleep(400)
    expect(calls).toEqual([])
  })
})

it("looks at nothing that is installed, at no git directory and at no editor's own files", () => {
  const sources = [
    { path: "/p/.pawl", kind: "plugin" },
    { path: "/p/node_modules/x/a.ts", kind: "plugin" },
  ]
  const relevant = (path: string) => isRelevant(sources, path)

  expect(["/p", "/p/.pawl", "/p/.pawl/a/b.ts", "/p/node_modules/x/a.ts"].filter(relevant)).toHaveLength(4)
  expect(
    ["/p/src", "/p/.pawl/node_modules", "/p/.pawl/node_modules/y/b.ts", "/p/.pawl/.git/HEAD", "/p/.pawl/a.ts~"].filter(
      relevant,
    ),
  ).toEqual([])
})
