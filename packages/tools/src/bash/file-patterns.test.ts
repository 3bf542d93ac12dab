import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createOnce } from "../once.ts"
import { createExpansion } from "./file-patterns.ts"

const NAMES = [
  "a",
  "ab",
  "abc",
  "b",
  "A",
  ".a",
  ".b",
  "a*",
  "a?",
  "[a]",
  "a]",
  "a-b",
  "a b",
  "a\\b",
  "ü",
  "😀",
  "-a",
  "1",
  "12",
]

const PATTERNS = [
  ...[
    "*",
    "?",
    "??",
    "a*",
    "*a",
    "*b*",
    "a*c",
    "**",
    "*?*",
    "[ab]",
    "[a-b]*",
    "[!a]*",
    "[^a]",
    "[[:alpha:]]*",
    "a]*",
    "[]a]*",
    "[a-]*",
  ],
  ...[
    ".*",
    ".[ab]",
    "\\a*",
    "a\\*",
    "a\\**",
    "a\\?",
    "[\\]a]*",
    "d/*",
    "*/x",
    "d*/*",
    "?/../a*",
    "d/../*b",
    "./*a",
    "d//*",
    "link/*",
    "l*/x",
    "l*/../a*",
    "[0-9]*",
    "nothing*",
    "*/",
  ],
]

/** What bash makes of it. */
function truth(directory: string, pattern: string): string[] {
  const script = `shopt -s nullglob; for f in ${pattern}; do printf '%s\\0' "$f"; done`
  const env = { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" }
  return execFileSync("bash", ["-c", script], { cwd: directory, env, stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .split("\0")
    .slice(0, -1)
}

async function place(): Promise<string> {
  const directory = await testDirectory({ "d/x": "", "d/y": "", "dd/x": "" })
  for (const name of NAMES) writeFileSync(join(directory, name), "")
  mkdirSync(join(directory, "c"))
  symlinkSync("d", join(directory, "link"))
  return directory
}

it.each(PATTERNS)("finds all that bash finds for %s, and little more", async (pattern) => {
  const directory = await place()
  const found =
    createExpansion(createOnce())
      .expand(directory, pattern)
      ?.map(({ path }) => path) ?? []
  const real = truth(directory, pattern)
  expect(found).toEqual(expect.arrayContaining(real))
  expect(found.length).toBeLessThanOrEqual(real.length + NAMES.length)
})

it("tells which names may be a link's", async () => {
  const directory = await place()
  const found = createExpansion(createOnce()).expand(directory, "[dl]*/x")
  expect(found?.filter(({ isPlain }) => isPlain)).toEqual([])
  expect(
    createExpansion(createOnce())
      .expand(directory, "?*d*")
      ?.map(({ isPlain }) => isPlain),
  ).toEqual([true])
  expect(createExpansion(createOnce()).expand(directory, "l*")).toEqual([{ path: "link", isPlain: false }])
})

it("does not look at more than so much", async () => {
  const directory = await testDirectory()
  for (let index = 0; index < 400; index++) mkdirSync(join(directory, `d${index}`))
  expect(createExpansion(createOnce()).expand(directory, "*/../*/../*")).toBeUndefined()
  expect(createExpansion(createOnce()).expand(directory, `${"*d".repeat(2000)}x`)).toHaveLength(0)
})

it("tells the links below a directory, once each", async () => {
  const directory = await place()
  symlinkSync("..", join(directory, "d/up"))
  expect(createExpansion(createOnce()).linksBelow(directory, ".")?.toSorted()).toEqual(["./d/up", "./link"])
})
