import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BELOW } from "@pawl/shell"
import { expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { createOnce } from "../once.ts"
import { createExpansion } from "./file-patterns.ts"
import { createListings } from "./listed-files.ts"

async function place(): Promise<string> {
  const files = [".envrc", ".git/config", "a.txt", "sub/.npmrc", "sub/b.md", "sub/deep/[ab]c", "c d/e.txt"]
  const directory = await testDirectory(Object.fromEntries(files.map((file) => [file, ""])))
  symlinkSync("..", join(directory, "link"))
  symlinkSync("../..", join(directory, "sub/up.md"))
  return directory
}

const listing = (flags: string, name = "*") => `${BELOW}${flags}${BELOW}${name}`

function find(directory: string, pattern: string, isWritten = false): readonly string[] | undefined {
  const listed = createListings(createExpansion(createOnce()))
  return listed(directory, pattern, isWritten)
    ?.filter(({ isGuess }) => !isGuess)
    .map(({ path }) => path)
    .toSorted()
}

it.each([
  { pattern: listing(""), read: ["link", "sub/up.md"], written: [".envrc", ".git", "link", "sub/.npmrc", "sub/up.md"] },
  { pattern: listing("f"), read: [], written: [".envrc", ".git", "sub/.npmrc"] },
  { pattern: listing("g"), read: ["link", "sub/up.md"], written: [".envrc", "link", "sub/.npmrc", "sub/up.md"] },
  { pattern: listing("v"), read: ["link", "sub/up.md"], written: ["link", "sub/up.md"] },
  { pattern: listing("1"), read: ["link"], written: [".envrc", ".git", "link"] },
  { pattern: `./${listing("", "*.md")}`, read: ["./sub/up.md"], written: ["./sub/up.md"] },
  { pattern: `./${listing("", "*rc")}`, read: [], written: ["./.envrc", "./sub/.npmrc"] },
  { pattern: `s*/${listing("")}`, read: ["sub/up.md"], written: ["sub/.npmrc", "sub/up.md"] },
  { pattern: `${listing("", "up*")}/x`, read: ["sub/up.md/x"], written: ["sub/up.md/x"] },
  { pattern: `${listing("", "sub")}/*md`, read: ["sub/b.md", "sub/up.md"], written: ["sub/b.md", "sub/up.md"] },
  {
    pattern: `x${listing("", "*.md")}`,
    read: ["link", "sub/up.md"],
    written: [".envrc", ".git", ".git/config", "link", "sub/.npmrc", "sub/up.md"],
  },
])("finds the links and the protected files that $pattern may name", async ({ pattern, read, written }) => {
  const directory = await place()
  expect(find(directory, pattern)).toEqual(read)
  expect(find(directory, pattern, true)).toEqual(written)
})

it("tells the words that names are split into, and what they stand for as patterns", async () => {
  const directory = await place()
  mkdirSync(join(directory, "x /etc"), { recursive: true })
  writeFileSync(join(directory, "x /etc/passwd"), "")
  const found = createListings(createExpansion(createOnce()))(directory, listing("", "passwd"), false)
  expect(found).toContainEqual({ path: "/etc/passwd", isGuess: true })
  symlinkSync("..", join(directory, "sub/deep/ac"))
  const others = createListings(createExpansion(createOnce()))(directory, listing("", "[[]*"), false)
  expect(others).toContainEqual({ path: "sub/deep/ac", isGuess: true })
})

it("does not look at more than so much", async () => {
  const directory = await testDirectory()
  for (let index = 0; index < 2100; index++) symlinkSync(".", join(directory, `d${index}`))
  expect(find(directory, listing(""))).toBeUndefined()
  expect(find(directory, listing("f"))).toEqual([])
  expect(find(directory, listing("") + listing(""))).toBeUndefined()
})
