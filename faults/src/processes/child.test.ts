import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { childPrograms } from "./child.ts"

it("bundles programs with the same file name apart from each other", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-programs-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const program = childPrograms(directory)
  const [workload, turn] = await Promise.all([program("workload"), program("turn")])
  expect(workload).not.toBe(turn)
  expect(await readFile(workload, "utf8")).not.toBe(await readFile(turn, "utf8"))
})
