import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { fromSources, jsonLines, workplace } from "./workplace.ts"

const EXAMPLE = join(import.meta.dirname, "../../../examples/storage-third-party")
const MEMORY = join(import.meta.dirname, "../../../packages/storage-memory")

it("stores sessions where a package of a third party stores them, packed and installed as from a registry", async () => {
  const { pawl, configuration, project, data } = await workplace(fromSources)
  const modules = join(configuration, "node_modules")
  await mkdir(join(modules, "pawl-storage-example"), { recursive: true })
  await promisify(execFile)("npm", ["pack", "--silent", "--pack-destination", project], { cwd: EXAMPLE })
  const [archive = ""] = await readdir(project)
  const unpacked = ["-xzf", join(project, archive), "--strip-components=1", "-C", join(modules, "pawl-storage-example")]
  await promisify(execFile)("tar", unpacked)
  await mkdir(join(modules, "@pawl"))
  await symlink(MEMORY, join(modules, "@pawl/storage-memory"))
  const storage = `npm:pawl-storage-example#noted:${join(project, "notes.jsonl")}`
  await writeFile(join(configuration, "pawl.jsonc"), JSON.stringify({ storage }))

  const run = await pawl(["run", "-m", "replay/hello", "hi"])

  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello!") })
  expect(run.stderr.replaceAll(/\s+/g, " ")).toContain(`in noted:${join(project, "notes.jsonl")}`)
  const notes = jsonLines(await readFile(join(project, "notes.jsonl"), "utf8"))
  expect(notes[0]).toMatchObject({ revision: 1, writes: ["session.put", "message.put", "part.put", "session.patch"] })
  expect(notes.length).toBeGreaterThan(2)
  await expect(readFile(join(data, "pawl.db"))).rejects.toThrow("ENOENT")
})
