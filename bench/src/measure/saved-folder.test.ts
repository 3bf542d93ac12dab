import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { saveFolder } from "./saved-folder.ts"

it("makes a folder again as it was when it was saved, as often as asked", async () => {
  const root = await mkdtemp(join(tmpdir(), "pawl-bench-test-"))
  onTestFinished(() => rm(root, { recursive: true }))
  const folder = join(root, "data")
  await mkdir(join(folder, "inner"), { recursive: true })
  await writeFile(join(folder, "inner", "kept"), "as it was")
  const restore = await saveFolder(folder, join(root, "copy"))

  for (const round of ["first", "second"]) {
    await writeFile(join(folder, "inner", "kept"), `changed in the ${round} round`)
    await writeFile(join(folder, "new"), "")
    await restore()
    expect(await readdir(folder)).toEqual(["inner"])
    expect(await readFile(join(folder, "inner", "kept"), "utf8")).toBe("as it was")
  }
})
