import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { workplace } from "./workplace.ts"

it("does its job for real, and leaves nothing behind", async () => {
  const { pawl, project } = await workplace()

  const run = await pawl(["demo", "--pace", "0"], { environment: { TMPDIR: project } })

  expect(run.code).toBe(0)
  expect(run.stdout).toContain("all four tests pass")
  expect(run.stderr).toMatch(/✗ bash node --test .* exit 1/)
  expect(run.stderr).toMatch(/● bash node --test/)
  expect(run.stderr).toContain("✔ the tests pass")
  expect(await scratches(project)).toEqual([])
})

it("keeps project and session for --keep, and the command that it names goes on with them", async () => {
  const { pawl, project } = await workplace()

  const run = await pawl(["demo", "--keep", "--pace=0"], { environment: { TMPDIR: project } })
  const [, data = "", args = ""] = /^go on: PAWL_DATA_DIR=(\S+) node .* run (.*) "…"$/m.exec(run.stderr) ?? []
  const next = await pawl(["run", ...args.split(" "), "what changed?"], { environment: { PAWL_DATA_DIR: data } })

  expect(next.code).toBe(0)
  expect(next.stderr).toContain("● bash git status")
  const menu = join(args.split(" ").at(-1) ?? "")
  const { stdout } = await promisify(execFile)("git", ["log", "--format=%an: %s"], { cwd: menu })
  expect(stdout).toBe("pawl demo: A menu card\n")
  expect(await readFile(join(menu, "src/truncate.js"), "utf8")).toContain("length - 1")
})

it("keeps away from the repository that the environment names, and from the user's hooks", async () => {
  const { pawl, project, configuration } = await workplace()
  const git = promisify(execFile)
  await git("git", ["init", "--quiet", project])
  const hooks = join(configuration, "hooks")
  await mkdir(hooks)
  await writeFile(join(hooks, "pre-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
  // In the home directory of the workplace.
  await writeFile(join(project, "../.gitconfig"), `[core]\n\thooksPath = ${hooks}\n`)
  const environment = { TMPDIR: configuration, GIT_DIR: join(project, ".git"), GIT_WORK_TREE: project }

  const run = await pawl(["demo", "--pace", "0"], { environment })

  expect(run.code).toBe(0)
  expect((await git("git", ["-C", project, "rev-list", "--all"])).stdout).toBe("")
})

it("says what is missing without git", async () => {
  const { pawl, project } = await workplace()

  const run = await pawl(["demo", "--pace", "0"], { environment: { TMPDIR: project, PATH: project } })

  expect(run.code).toBe(1)
  expect(run.stderr).toContain("needs git")
  expect(await scratches(project)).toEqual([])
})

it("says that nothing is left after a Ctrl-C", async () => {
  const { start, project } = await workplace()

  const { child, finished, said } = start(["demo", "--pace", "5"], { environment: { TMPDIR: project } })
  await said("● ")
  child.kill("SIGINT")
  const { code, stderr } = await finished

  expect(code).toBe(130)
  expect(stderr).toContain("The project and its session are removed now.")
})

/** What demos have left in a temporary directory. */
async function scratches(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith("pawl-demo-"))
}
