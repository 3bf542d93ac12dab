import { linkSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { startSwapping } from "../test/swapping.ts"
import { testTools } from "../test/tools.ts"
import { removeFile, writeAtomically } from "./file/atomic-write.ts"
import { readBytes } from "./file/read-bytes.ts"
import { similarNames } from "./file/similar-names.ts"

const ATTEMPTS = 300
const NAMES = ["gone.txt", "linked.txt", "old.txt", "same.txt"]

/** A directory `d` in a worktree that another process swaps with a link to one outside, which holds the same names. */
async function swapped() {
  const files = (content: string) => Object.fromEntries(NAMES.map((name) => [name, content]))
  const outside = await testDirectory({ ...files("outside\n"), "sameish.txt": "outside\n" })
  const inside = files("inside\n")
  const worktree = await testDirectory(Object.fromEntries(NAMES.map((name) => [`d/${name}`, inside[name] ?? ""])))
  for (const directory of [outside, join(worktree, "d")])
    linkSync(join(directory, "linked.txt"), join(directory, "hard.txt"))
  await startSwapping(join(worktree, "d"), outside)
  return { worktree, outside, directory: join(worktree, "d") }
}

/** What is outside, as it was at first unless something has reached it. */
async function contents(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), "utf8")])),
  )
}

const untouched = Object.fromEntries([...NAMES, "hard.txt", "sameish.txt"].map((name) => [name, "outside\n"]))

it.each<[string, (directory: string, attempt: number) => Promise<unknown>]>([
  [
    "writes a new file",
    (directory, attempt) => writeAtomically(join(directory, `new${attempt}.txt`), Buffer.from("x")),
  ],
  [
    "makes directories",
    (directory, attempt) => writeAtomically(join(directory, `x${attempt}/y/z.txt`), Buffer.from("x")),
  ],
  ["replaces a file", (directory) => writeAtomically(join(directory, "old.txt"), Buffer.from("new\n"))],
  [
    "fills a file with a further name",
    (directory) => writeAtomically(join(directory, "linked.txt"), Buffer.from("new\n")),
  ],
  ["removes a file", (directory) => removeFile(join(directory, "gone.txt"))],
])("%s in no directory but the judged one, however often that is swapped", async (_, change) => {
  const { outside, directory } = await swapped()
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) await change(directory, attempt).catch(() => undefined)
  expect(await contents(outside)).toEqual(untouched)
})

it("reads from no directory but the judged one", async () => {
  const { directory } = await swapped()
  const read: string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await readBytes(join(directory, "same.txt")).catch(() => undefined)
    read.push(found?.bytes.toString() ?? "")
    read.push(...(await similarNames(join(directory, "samei.txt"))))
  }
  expect(read).toEqual(expect.arrayContaining(["inside\n", "same.txt"]))
  expect(read.filter((text) => ["outside\n", "sameish.txt"].includes(text))).toEqual([])
})

it("lets no tool write, read or find anything outside of the project", async () => {
  const { worktree, outside } = await swapped()
  const tools = testTools(worktree)
  const calls = (attempt: number): readonly (readonly [name: string, input: object])[] => [
    ["write", { filePath: `d/new${attempt}.txt`, content: "x\n" }],
    ["edit", { filePath: "d/old.txt", oldString: "\n", newString: `${attempt}\n` }],
    ["apply_patch", { patchText: `*** Begin Patch\n*** Add File: d/patch${attempt}.txt\n+x\n*** End Patch` }],
    ["read", { filePath: "d/same.txt" }],
    ["read", { filePath: "d" }],
    ...(attempt % 4 === 0
      ? ([
          ["grep", { pattern: "side" }],
          ["grep", { pattern: "side", path: "d/same.txt" }],
          ["list", {}],
        ] as const)
      : []),
  ]
  const outputs: string[] = []
  for (let attempt = 0; attempt < 100; attempt++) {
    for (const [name, input] of calls(attempt)) {
      const context = testContext(worktree)
      const tool = tools.tool(name)
      const call = tool.parse(input)
      const needs = await tool.permissions?.(call, context)
      if (needs?.some(({ permission }) => permission === "external_directory")) continue
      outputs.push(await tool.execute(call, context).then(({ output }) => output, String))
    }
  }
  expect(outputs.filter((output) => /outside|sameish/.test(output))).toEqual([])
  expect(await contents(outside)).toEqual(untouched)
  expect(outputs.filter((output) => output.includes("inside")).length).toBeGreaterThan(0)
})
