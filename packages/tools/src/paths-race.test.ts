import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { readdir, readFile, rename, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { testTools } from "../test/tools.ts"

/** The same numbers for the same seed, from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A context in which `happens` once the image before a change is stored. */
function recording(worktree: string, happens: () => void | Promise<void>) {
  const { files, images } = testContext(worktree)
  const context = testContext(worktree, {
    files: {
      async before(...image) {
        await files.before(...image)
        await happens()
      },
      after: (...image) => files.after(...image),
    },
  })
  return { context, images }
}

const OUTSIDE = { "f.txt": "outside\n", "deep/f.txt": "outside\n" }

it(
  "never writes outside, nor into the repository, whenever a link takes a name's place",
  { timeout: 60_000 },
  async () => {
    const worktree = await testDirectory({ ".git/f.txt": "outside\n" })
    const outside = await testDirectory(OUTSIDE)
    const tools = testTools(worktree)
    const random = createRandom(20_261_122)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
    const outcomes = { written: 0, refused: 0, asked: 0 }

    for (let round = 0; round < 1000; round++) {
      rmSync(join(worktree, "d"), { recursive: true, force: true })
      mkdirSync(join(worktree, "d/deep"), { recursive: true })
      if (random() < 0.7) writeFileSync(join(worktree, "d/f.txt"), "inside\n")
      if (random() < 0.7) writeFileSync(join(worktree, "d/deep/f.txt"), "inside\n")

      const filePath = pick(["d/f.txt", "d/deep/f.txt", "d/new/f.txt"])
      const swap = () => {
        const name = pick(["d", "d/deep", "d/new", filePath])
        rmSync(join(worktree, name), { recursive: true, force: true })
        mkdirSync(dirname(join(worktree, name)), { recursive: true })
        symlinkSync(
          pick([outside, `${outside}/f.txt`, join(worktree, ".git"), ".git/f.txt", "nowhere"]),
          join(worktree, name),
        )
      }
      const moment = pick(["before", "judged", "recorded", "never"])
      const { context } = recording(worktree, () => {
        if (moment === "recorded") swap()
      })

      const tool = tools.tool("write")
      const call = tool.parse({ filePath, content: `round ${round}\n` })
      if (moment === "before") swap()
      const needs = await tool.permissions?.(call, context)
      // What has to be asked for is not allowed here.
      if (needs?.some(({ permission }) => permission !== "edit")) {
        outcomes.asked++
        continue
      }
      if (moment === "judged") swap()
      const isWritten = await tool.execute(call, context).then(
        () => true,
        () => false,
      )
      if (isWritten) outcomes.written++
      else outcomes.refused++
    }

    expect(await readdir(outside)).toEqual(["deep", "f.txt"])
    expect(await readdir(join(outside, "deep"))).toEqual(["f.txt"])
    expect(await readdir(join(worktree, ".git"))).toEqual(["f.txt"])
    for (const path of [join(outside, "f.txt"), join(outside, "deep/f.txt"), join(worktree, ".git/f.txt")]) {
      expect(await readFile(path, "utf8")).toBe("outside\n")
    }
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(100)
  },
)

it("records nothing from outside when a directory becomes a link as the change fails", async () => {
  const worktree = await testDirectory({ "d/f.txt": "inside\n" })
  const outside = await testDirectory({ "f.txt": "secret\n" })
  const { context, images } = recording(worktree, async () => {
    await rename(join(worktree, "d"), join(worktree, "old"))
    await symlink(outside, join(worktree, "d"))
  })
  await expect(testTools(worktree).run("write", { filePath: "d/f.txt", content: "x" }, context)).rejects.toThrow(
    "was changed by somebody else",
  )
  // The same before and after: the call has changed nothing.
  expect(images.map(({ side, bytes }) => [side, bytes?.toString()])).toEqual([
    ["before", "inside\n"],
    ["after", "inside\n"],
  ])
  expect(existsSync(join(worktree, "d/f.txt"))).toBe(true)
  expect(await readFile(join(outside, "f.txt"), "utf8")).toBe("secret\n")
})
