import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createProjectWatch, type FileEvent } from "./project-watch.ts"

async function watched(maxWatched?: number) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-watch-")))
  execFileSync("git", ["init", "-q"], { cwd: directory })
  await mkdir(join(directory, "src"))
  await mkdir(join(directory, "build"))
  await writeFile(join(directory, ".gitignore"), "build\n*.log\n")
  await writeFile(join(directory, "src/a.ts"), "a")
  await writeFile(join(directory, "build/a.js"), "a")
  const seen: [string, FileEvent][] = []
  const problems: string[] = []
  const watch = createProjectWatch({
    directory,
    report: (file, event) => void seen.push([file.slice(directory.length + 1), event]),
    onProblem: (message) => void problems.push(message),
    ...(maxWatched === undefined ? {} : { maxWatched }),
  })
  onTestFinished(async () => {
    watch.close()
    await rm(directory, { recursive: true, force: true })
  })
  const write = (name: string, text: string) => writeFile(join(directory, name), text)
  /** Resolves when a change is seen: the watcher has begun by then, and has told of all before. */
  async function settled(): Promise<void> {
    const name = `sign-${Math.random()}`
    await expect
      .poll(
        async () => {
          await write(name, `${performance.now()}`)
          return seen.some(([file]) => file === name)
        },
        { interval: 100 },
      )
      .toBe(true)
  }
  /** One write may be seen twice, when the file is emptied and when it is written. */
  const told = () => {
    const found = new Map(seen.filter(([file]) => !file.startsWith("sign-")).map((entry) => [entry.join(), entry]))
    return [...found.values()]
  }
  return { directory, watch, write, settled, told, problems }
}

it("tells of what the user adds, changes and removes, and of nothing that git ignores", async () => {
  const { directory, watch, write, settled, told } = await watched()
  watch.follow()
  await settled()
  await mkdir(join(directory, "node_modules/x"), { recursive: true })
  await write("node_modules/x/index.js", "x")
  await write("build/b.js", "b")
  await write("new.log", "b")
  await write(".git/own", "b")
  await write("src/a.ts", "changed")
  await write("src/b.ts", "b")
  await settled()
  expect(told().toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    ["src/a.ts", "change"],
    ["src/b.ts", "add"],
  ])
  await rm(join(directory, "src/b.ts"))
  await settled()
  expect(told().at(-1)).toEqual(["src/b.ts", "unlink"])
})

it("leaves out what a tool has told of already, in that version alone", async () => {
  const { directory, watch, write, settled, told } = await watched()
  watch.follow()
  await settled()
  // At once, so that the watcher cannot report the change before it is marked.
  writeFileSync(join(directory, "src/a.ts"), "by a tool")
  watch.markReported(join(directory, "src/a.ts"))
  await settled()
  expect(told()).toEqual([])
  await write("src/a.ts", "by the user, later")
  await settled()
  expect(told()).toEqual([["src/a.ts", "change"]])
})

it("watches only while somebody follows", async () => {
  const { watch, write, settled, told } = await watched()
  const ends = [watch.follow(), watch.follow()]
  await settled()
  ends[0]?.()
  await write("src/a.ts", "still followed")
  await settled()
  expect(told()).toHaveLength(1)
  ends[1]?.()
  await write("src/a.ts", "not followed any more")
  watch.follow()
  await settled()
  expect(told()).toHaveLength(1)
})

it("gives up a project that is too large, and says so once", async () => {
  const { watch, problems } = await watched(2)
  watch.follow()
  await expect.poll(() => problems.length).toBe(1)
  expect(problems[0]).toContain("more than 2 files and directories")
})
