import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { appendFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { serving } from "../../test/serving.ts"

it.each(["clean", "process"])("does not run a filter that the repository names as %s", async (kind) => {
  await using scene = await serving()
  const { directory, app } = scene
  const ran = join(directory, "..", `ran-${kind}-${process.pid}`)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory })
  git("config", `filter.odd.name.${kind}`, `sh -c 'touch ${ran}; cat'`)
  await writeFile(join(directory, ".gitattributes"), "* filter=odd.name\n")
  await appendFile(join(directory, "read.me"), "three\n")
  for (const path of ["/file/status", "/vcs", "/vcs/status", "/vcs/diff", "/vcs/diff/raw?mode=git"]) {
    expect((await app.request(path)).status).toBeLessThan(500)
  }
  expect(existsSync(ran)).toBe(false)
  expect(JSON.stringify(await (await app.request("/file/status")).json())).toContain("read.me")
})
