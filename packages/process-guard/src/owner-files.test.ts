import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createOwnerFiles } from "./owner-files.ts"

it.runIf(process.platform !== "win32")("leaves a file alone that a link in its place leads to", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-owners-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const target = join(directory, "target")
  await writeFile(target, "content")
  await symlink(target, join(directory, "owner"))
  createOwnerFiles(directory).add("owner")
  expect(await readFile(target, "utf8")).toBe("content")
})
