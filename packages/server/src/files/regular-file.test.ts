import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { RequestError } from "../request-error.ts"
import { readJudgedFile } from "./regular-file.ts"

async function place(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-server-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const name of ["project/src", "outside"]) await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, "project/src/a.txt"), "INSIDE")
  await writeFile(join(directory, "outside/a.txt"), "OUTSIDE")
  return directory
}

it("reads a file that was judged", async () => {
  const directory = await place()
  expect((await readJudgedFile(join(directory, "project/src/a.txt"), "Query")).toString()).toBe("INSIDE")
})

it.each(["project/src", "project", "project/src/a.txt"])(
  "reads nothing else once %s has become a link",
  async (name) => {
    const directory = await place()
    const judged = join(directory, "project/src/a.txt")
    await rename(join(directory, name), join(directory, "moved"))
    const outside = { "project/src": "outside", project: "moved", "project/src/a.txt": "outside/a.txt" }[name] ?? ""
    await symlink(join(directory, outside), join(directory, name))
    await expect(readJudgedFile(judged, "Query")).rejects.toThrow(RequestError)
    await expect(readJudgedFile(judged, "Query")).rejects.toThrow("leads elsewhere by now")
  },
)
