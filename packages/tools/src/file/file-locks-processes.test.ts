import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"
import { createFileLocks } from "./file-locks.ts"

const ROUNDS = 60

/** Adds one to the number in the file again and again, by reading it and then writing it. */
const counting = `
  import { readFile, writeFile } from "node:fs/promises"
  const [entry, directory, file] = process.argv.slice(1)
  const { createFileLocks } = await import(entry)
  const locks = createFileLocks({ directory })
  for (let round = 0; round < ${ROUNDS}; round++) {
    await locks.run(file, async () => {
      const count = Number(await readFile(file, "utf8"))
      await new Promise((resolve) => setImmediate(resolve))
      await writeFile(file, String(count + 1))
    })
  }
`

/** Takes the lock of a file, says so, and never gives it back. */
const keeping = `
  const [entry, directory, file] = process.argv.slice(1)
  const { createFileLocks } = await import(entry)
  await createFileLocks({ directory }).run(file, async () => {
    console.log("taken")
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })
`

function start(program: string, directory: string, file: string) {
  const entry = new URL("./file-locks.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program, entry, directory, file]
  return spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] })
}

it("loses nothing where several processes change one file without pause, and leaves no lock", async () => {
  const place = await testDirectory({ "count.txt": "0", "locks/.keep": "" })
  const [file, directory] = [join(place, "count.txt"), join(place, "locks")]
  const ends = await Promise.all([1, 2, 3].map(async () => once(start(counting, directory, file), "exit")))
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0])
  expect(await readFile(file, "utf8")).toBe(String(3 * ROUNDS))
  expect(await readdir(directory)).toEqual([".keep"])
})

it("makes another process wait, not when it waits for an aborted call, and takes over what a killed one left", async () => {
  const place = await testDirectory()
  const [file, directory] = [join(place, "a.txt"), join(place, "locks")]
  const child = start(keeping, directory, file)
  await once(child.stdout, "data")
  const locks = createFileLocks({ directory })
  const abort = new AbortController()
  const waiting = locks.run(file, async () => "never", abort.signal)
  const order: string[] = []
  const next = locks.run(file, async () => void order.push("ran"))
  abort.abort()
  await expect(waiting).rejects.toThrow("aborted")
  // Time enough for many looks at the lock.
  await setTimeout(100)
  expect(order).toEqual([])
  child.kill("SIGKILL")
  await next
  expect(order).toEqual(["ran"])
})

const patch = "*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** End Patch"

it.each([
  ["edit", { filePath: "a.txt", oldString: "a", newString: "b" }],
  ["multiedit", { filePath: "a.txt", edits: [{ oldString: "a", newString: "b" }] }],
  ["write", { filePath: "a.txt", content: "b\n" }],
  ["apply_patch", { patchText: patch }],
])("makes %s wait for who else changes the file", async (name, input) => {
  const directory = await testDirectory({ "a.txt": "a\n" })
  const [file, release, taken] = [
    join(directory, "a.txt"),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const held = createFileLocks().run(file, () => {
    taken.resolve()
    return release.promise
  })
  await taken.promise
  const running = testTools(directory).run(name, input)
  await Promise.race([running, setTimeout(100)])
  expect(await readFile(file, "utf8")).toBe("a\n")
  release.resolve()
  await Promise.all([held, running])
  expect(await readFile(file, "utf8")).toBe("b\n")
})

it("works without locks of other processes where their directory cannot be used", async () => {
  const place = await testDirectory({ file: "" })
  const locks = createFileLocks({ directory: join(place, "file") })
  expect(await locks.run("/a.txt", async () => "done")).toBe("done")
})
