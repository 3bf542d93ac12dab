import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import vm from "node:vm"
import { expect, it, onTestFinished } from "vitest"
import { decodeCode } from "./code-file.ts"
import { type CodeCache, openCodeCache } from "./code-cache.ts"

const nothing: ReadonlySet<string> = new Set()

async function cacheDirectory() {
  const parent = await mkdtemp(join(tmpdir(), "pawl-code-"))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const directory = join(parent, "code")
  const open = (command = "run", entry = "entry") => openCodeCache({ directory, command, entry: Buffer.from(entry) })
  return { directory, open }
}

/** The chunks of these that it has code of. */
function known({ compiled }: Pick<CodeCache, "compiled">, ...names: string[]): string[] {
  return names.filter((name) => compiled(name) !== undefined)
}

function scriptsOf(...names: string[]): Map<string, vm.Script> {
  return new Map(names.map((name) => [name, new vm.Script(`"${name}".length`)]))
}

it("gives the next run of a command what this one compiled, and others nothing", async () => {
  const { open } = await cacheDirectory()
  open().keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))

  expect(known(open(), "./a.cjs", "./b.cjs")).toEqual(["./a.cjs"])
  expect(known(open("session"), "./a.cjs")).toEqual([])
  expect(known(open("run", "another version"), "./a.cjs")).toEqual([])
})

it("adds what the first runs compile, and chunks that are new at any time; else nothing is written", async () => {
  const { directory, open } = await cacheDirectory()
  const runs = async () => {
    const [name = ""] = await readdir(directory)
    return decodeCode(await readFile(join(directory, name)))?.runs
  }
  const counts: unknown[] = []
  for (let run = 0; run < 5; run++) {
    open().keep(scriptsOf("./a.cjs"), run === 0 ? new Set(["./a.cjs"]) : nothing)
    counts.push(await runs())
  }
  open().keep(scriptsOf("./b.cjs"), new Set(["./b.cjs"]))

  expect(counts).toEqual([1, 2, 3, 3, 3])
  expect(await runs()).toBe(4)
  expect(known(open(), "./a.cjs", "./b.cjs")).toEqual(["./a.cjs", "./b.cjs"])
})

it("writes once for a run", async () => {
  const { open } = await cacheDirectory()
  const cache = open()
  cache.keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))
  cache.keep(scriptsOf("./a.cjs", "./b.cjs"), new Set(["./b.cjs"]))

  expect(known(open(), "./a.cjs", "./b.cjs")).toEqual(["./a.cjs"])
})

it("is the user's alone", async () => {
  const { directory, open } = await cacheDirectory()
  open().keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))
  const [name = ""] = await readdir(directory)

  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600)
})

it("neither reads nor writes where others may write", async () => {
  const { directory, open } = await cacheDirectory()
  open().keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))
  await chmod(directory, 0o777)
  const cache = open()
  cache.keep(scriptsOf("./b.cjs"), new Set(["./b.cjs"]))
  await chmod(directory, 0o700)

  expect(known(cache, "./a.cjs", "./b.cjs")).toEqual([])
  expect(known(open(), "./a.cjs", "./b.cjs")).toEqual(["./a.cjs"])
})

it("starts anew from a damaged file, and does without a place to write", async () => {
  const { directory, open } = await cacheDirectory()
  open().keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))
  const [name = ""] = await readdir(directory)
  await writeFile(join(directory, name), "damaged")

  expect(known(open(), "./a.cjs")).toEqual([])
  open().keep(scriptsOf("./b.cjs"), new Set(["./b.cjs"]))
  expect(known(open(), "./a.cjs", "./b.cjs")).toEqual(["./b.cjs"])

  await rm(directory, { recursive: true })
  await writeFile(directory, "a file in the directory's place")
  const cache = open()
  cache.keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))
  expect(known(cache, "./a.cjs")).toEqual([])
})

it("removes what nobody has written for a month, such as that of old versions", async () => {
  const { directory, open } = await cacheDirectory()
  open("run", "old").keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))
  const [old = ""] = await readdir(directory)
  const then = new Date(Date.now() - 31 * 24 * 3600 * 1000)
  await utimes(join(directory, old), then, then)
  open("run", "new").keep(scriptsOf("./a.cjs"), new Set(["./a.cjs"]))

  expect(await readdir(directory)).toEqual([expect.not.stringMatching(old)])
})
