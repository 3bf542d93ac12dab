import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { testDirectory } from "../../test/directory.ts"
import { noBwrap, sandboxed, skipNote, testHome, visibleNode } from "../../test/sandboxed.ts"
import { watchMissing } from "./left-places.ts"

const quoted = (...words: readonly string[]) => words.map((word) => `'${word}'`).join(" ")

describe.skipIf(noBwrap)(`in bubblewrap${skipNote}`, () => {
  it("no directory above the session's one can be replaced", async () => {
    const { run, home, directory } = await sandboxed({}, "packages/app")
    const { output } = await run(`(cd "${directory}"; mv packages moved; mkdir packages && ln -s ${home} packages/app)`)
    expect(output).toContain("Device or resource busy")
    await run("echo x > HIT")
    expect(existsSync(join(home, "HIT"))).toBe(false)
    expect(await readdir(join(directory, "packages/app"))).toEqual(expect.arrayContaining(["HIT"]))
  })

  it("what has come to be is not mounted while a command runs that could swap it", async () => {
    const { directory, sandbox } = await sandboxed()
    const place = { directory, worktree: directory, cwd: directory }
    const mounts = async () => (await sandbox.wrap(["true"], place)).join(" ")
    const settleJob = await sandbox.watch(place)
    await mounts()
    await mkdir(join(directory, ".idea"))
    await rm(join(directory, ".husky"), { recursive: true })

    const settleCommand = await sandbox.watch(place)
    const meanwhile = await mounts()
    expect(meanwhile).not.toContain(".idea")
    expect(meanwhile).not.toContain(".husky")
    expect(meanwhile).toContain(`--ro-bind ${directory}/.claude`)
    await settleCommand()
    await settleJob()

    await mkdir(join(directory, ".idea"))
    await sandbox.watch(place)
    expect(await mounts()).toContain(`--ro-bind ${directory}/.idea`)
  })

  it("the report of a command's directory is neither read, written nor removed through a link", async () => {
    const { directory, run, sandbox } = await sandboxed()
    const outside = await testHome()
    await writeFile(join(outside, "cwd"), join(directory, "src"))
    // A job looks out for reports, and puts links in their place.
    const job =
      'const { readdirSync, renameSync, symlinkSync } = require("node:fs"); console.log("re" + "ady");' +
      'for (;;) for (const name of readdirSync("/tmp").filter((each) => each.startsWith("pawl-"))) try {' +
      'renameSync("/tmp/" + name, "/tmp/taken-" + name); symlinkSync(process.argv[1], "/tmp/" + name) } catch {}'
    const { output } = await run(quoted(await visibleNode(), "-e", job, outside), { background: true })
    expect(output).toContain("ready")
    const before = await readdir(outside, { recursive: true })
    const outputs: string[] = []
    for (let attempt = 0; attempt < 10; attempt++) outputs.push((await run("true")).output)
    expect(new Set(outputs)).toEqual(new Set(["(no output)"]))
    expect(await readdir(outside, { recursive: true })).toEqual(before)
    expect((await readdir(sandbox.temporary.outside)).some((name) => name.startsWith("taken-"))).toBe(true)
  })
})

it("gives no other name to what is behind a link that was made since", async () => {
  const outside = await testDirectory({ "hooks/pre-commit": "", config: "" })
  const directory = await testDirectory({ ".git/HEAD": "" })
  const settle = await watchMissing([directory])
  await rename(join(directory, ".git"), join(directory, ".moved"))
  await symlink(outside, join(directory, ".git"))
  expect(await settle()).toEqual([])
  expect(await readdir(outside)).toEqual(["config", "hooks"])
})
