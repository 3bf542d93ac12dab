import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createSpool } from "./spool.ts"
import { createWorktrees } from "./worktrees.ts"

it("lists in the background only after a rest of twice the time that the last listing took", async () => {
  const root = await mkdtemp(join(tmpdir(), "pawl-worktrees-"))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, "project"))
  await writeFile(join(root, "project", "a.txt"), "a")
  let time = 0
  const now = () => (time += 100)
  const spool = createSpool(join(root, "spool"))
  const worktrees = createWorktrees({ spool, environment: process.env, now, closing: new AbortController().signal })
  const prepared = async () => {
    worktrees.prepare(join(root, "project"))
    await worktrees.settled()
    // It took longer than a listing that is repeated.
    return worktrees.before(join(root, "project"))
  }
  const first = await prepared()
  const took = time

  expect(await prepared()).toBe(first)
  time += 2 * took
  expect(await prepared()).not.toBe(first)
})
