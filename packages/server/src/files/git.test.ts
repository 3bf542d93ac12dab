import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { appendFile, rm, writeFile } from "node:fs/promises"
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

it("does not run a filter of a file that the repository's configuration includes", async () => {
  await using scene = await serving()
  const { directory, app } = scene
  const ran = join(directory, "..", `ran-included-${process.pid}`)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory })
  git("config", "--file", join(directory, ".git/more"), "filter.odd.clean", `sh -c 'touch ${ran}; cat'`)
  git("config", "include.path", "more")
  await writeFile(join(directory, ".gitattributes"), "* filter=odd\n")
  await appendFile(join(directory, "read.me"), "three\n")
  for (const path of ["/file/status", "/vcs/diff"]) expect((await app.request(path)).status).toBe(200)
  expect(existsSync(ran)).toBe(false)
})

it("does not fetch what the repository lacks, with a program that it names", async () => {
  await using scene = await serving()
  const { directory, app } = scene
  const ran = join(directory, "..", `ran-fetch-${process.pid}`)
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trim()
  const blob = git("rev-parse", "HEAD:read.me")
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", `ext::touch ${ran}`],
    ["protocol.ext.allow", "always"],
  ] as const) {
    git("config", name, value)
  }
  await rm(join(directory, ".git/objects", blob.slice(0, 2), blob.slice(2)))
  await appendFile(join(directory, "read.me"), "three\n")
  for (const path of ["/file/status", "/vcs/diff"]) expect((await app.request(path)).status).toBeLessThan(500)
  expect(existsSync(ran)).toBe(false)
})
