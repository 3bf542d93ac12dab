import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { readdir, readFile, rename, symlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { testContext } from "../test/context.ts"
import { testDirectory } from "../test/directory.ts"
import { testTools } from "../test/tools.ts"

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

/** Every way that a name on the path can become a link, at every moment of a call. */
function races(links: readonly string[]) {
  const files = ["d/f.txt", "d/deep/f.txt"]
  const targets = [
    ...files.flatMap((file) => [[file, true] as const, [file, false] as const]),
    ["d/new/f.txt", false] as const,
  ]
  return targets.flatMap(([filePath, isThere]) => {
    const names = [...new Set(["d", "d/deep", "d/new", filePath])]
    const moments = ["before", "judged", "recorded"] as const
    const swaps = moments.flatMap((moment) => names.flatMap((name) => links.map((link) => ({ moment, name, link }))))
    return [undefined, ...swaps].map((swap) => ({ filePath, isThere, swap }))
  })
}

it("never writes outside, nor into the repository, whenever a link takes a name's place", async () => {
  const worktree = await testDirectory({ ".git/f.txt": "outside\n" })
  const outside = await testDirectory(OUTSIDE)
  const tools = testTools(worktree)
  const links = [outside, `${outside}/f.txt`, join(worktree, ".git"), ".git/f.txt", "nowhere"]
  const outcomes = { written: 0, refused: 0, asked: 0 }

  for (const [round, { filePath, isThere, swap }] of races(links).entries()) {
    rmSync(join(worktree, "d"), { recursive: true, force: true })
    mkdirSync(join(worktree, "d/deep"), { recursive: true })
    if (isThere) writeFileSync(join(worktree, filePath), "inside\n")
    const at = (moment: string) => {
      if (swap?.moment !== moment) return
      const place = join(worktree, swap.name)
      rmSync(place, { recursive: true, force: true })
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(swap.link, place)
    }
    const { context } = recording(worktree, () => at("recorded"))

    const tool = tools.tool("write")
    const call = tool.parse({ filePath, content: `round ${round}\n` })
    at("before")
    const needs = await tool.permissions?.(call, context)
    // What has to be asked for is not allowed here.
    if (needs?.some(({ permission }) => permission !== "edit")) {
      outcomes.asked++
      continue
    }
    at("judged")
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
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(30)
})

it("records nothing from outside when a directory becomes a link as the change fails", async () => {
  const worktree = await testDirectory({ "d/f.txt": "inside\n" })
  const outside = await testDirectory({ "f.txt": "secret\n" })
  const { context, images } = recording(worktree, async () => {
    await rename(join(worktree, "d"), join(worktree, "old"))
    await symlink(outside, join(worktree, "d"))
  })
  await expect(testTools(worktree).run("write", { filePath: "d/f.txt", content: "x" }, context)).rejects.toThrow(
    `was left alone: its directory leads to ${outside} now`,
  )
  // The same before and after: the call has changed nothing.
  expect(images.map(({ side, bytes }) => [side, bytes?.toString()])).toEqual([
    ["before", "inside\n"],
    ["after", "inside\n"],
  ])
  expect(existsSync(join(worktree, "d/f.txt"))).toBe(true)
  expect(await readFile(join(outside, "f.txt"), "utf8")).toBe("secret\n")
})
