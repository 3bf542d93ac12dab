import { existsSync } from "node:fs"
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { eventually } from "../../test/processes.ts"
import { testTools } from "../../test/tools.ts"

async function testBash() {
  const directory = await testDirectory({ "a/b/file.txt": "" })
  const tools = testTools(directory)
  const run = async (command: string, more: object = {}, context: Parameters<typeof testContext>[1] = {}) =>
    tools.run("bash", { command, ...more }, testContext(directory, context))
  return { directory, run, at: async (context = {}) => (await run("pwd", {}, context)).output }
}

it("starts a session's next command where the last one ended, and says so", async () => {
  const { directory, run, at } = await testBash()
  expect((await run("cd a && echo moved")).output).toBe(
    "moved\n\n<shell_metadata>\nThe next command starts in a.\n</shell_metadata>",
  )
  expect(await at()).toBe(`${directory}/a`)
  await run("cd b; (cd /; true); false")
  expect(await at()).toBe(`${directory}/a/b`)
  expect(await at({ sessionID: "ses_other" })).toBe(directory)
  expect((await run(`cd ${directory}`)).output).toContain("The next command starts in .")
  expect(await at()).toBe(directory)
})

it("tells in the metadata of a call where it ran, and where the next one starts", async () => {
  const { directory, run } = await testBash()
  expect((await run("cd a")).metadata).toMatchObject({ cwd: directory, next: `${directory}/a` })
  expect((await run("true", { workdir: "a/b" })).metadata).toMatchObject({
    cwd: `${directory}/a/b`,
    next: `${directory}/a`,
  })
  expect((await run("cd /usr; false")).metadata).toMatchObject({ cwd: `${directory}/a`, next: directory, exit: 1 })
})

it.each([
  ["fails", "cd a; exit 7", 7],
  ["stops at the first failure", "set -euC; cd a; false", 1],
  ["has no such command", "cd a; no-such-command", 127],
  ["is ended by a program's signal", "cd a; sh -c 'kill -SEGV $$'", 139],
])("knows it also where a command %s, and leaves the exit code as it is", async (_, command, exit) => {
  const { directory, run, at } = await testBash()
  expect((await run(command)).metadata).toMatchObject({ exit })
  expect(await at()).toBe(`${directory}/a`)
})

it("leaves a command's own traps, line numbers, words and descriptors alone", async () => {
  const { directory, run, at } = await testBash()
  const { output } = await run(
    'cd a; trap "echo own" EXIT; echo "$0 $# $-"; echo $LINENO; exec 3>three; exec 3>&-; env',
  )
  const lines = output.split("\n")
  expect(lines.slice(0, 2)).toEqual(["bash 0 hBc", "1"])
  expect(lines).toContain("own")
  expect(output).not.toMatch(/PAWL_CWD|BASH_ENV/)
  // With a trap of its own nothing is told.
  expect(await at()).toBe(directory)
  expect((await run("if then")).output).toContain("bash: -c: line 1: syntax error near unexpected token `then'")
})

it("reads what the environment has bash read", async () => {
  const { directory, run, at } = await testBash()
  await writeFile(join(directory, "start.sh"), "STARTED=yes\n")
  const env = async () => ({ PATH: process.env["PATH"] ?? "", BASH_ENV: join(directory, "start.sh") })
  expect((await run("echo $STARTED; bash -c 'echo $STARTED'; cd a", {}, { env })).output).toMatch(/^yes\nyes\n/)
  expect(await at()).toBe(`${directory}/a`)
})

it("comes back where a command left the project", async () => {
  const { directory, run, at } = await testBash()
  await run("cd a")
  expect((await run("cd /usr")).output).toContain(
    `/usr is outside of the project: the next command starts in ${directory}.`,
  )
  expect(await at()).toBe(directory)
  await symlink("/usr", join(directory, "link"))
  expect((await run("cd link")).output).toContain("/usr is outside of the project")
})

it("takes a workdir for one call, from the project's directory", async () => {
  const { directory, run, at } = await testBash()
  await run("cd a/b")
  expect((await run("pwd; cd ..", { workdir: "a" })).output).toBe(`${directory}/a`)
  expect(await at()).toBe(`${directory}/a/b`)
})

it("starts each of several at once where it was then; the last to end that moved counts", async () => {
  const { directory, run, at } = await testBash()
  const slow = run("cd a; touch started; until [ -e ../go ]; do sleep 0.01; done")
  const still = run("until [ -e go ]; do sleep 0.01; done; pwd")
  await eventually(() => existsSync(join(directory, "a/started")))
  await run("cd a/b")
  expect(await at()).toBe(`${directory}/a/b`)
  await writeFile(join(directory, "go"), "")
  expect((await still).output).toBe(directory)
  await slow
  expect(await at()).toBe(`${directory}/a`)
})

it("runs nothing where the directory is gone", async () => {
  const { directory, run, at } = await testBash()
  await run("cd a/b")
  await rm(join(directory, "a"), { recursive: true })
  await expect(run("touch HIT")).rejects.toThrow(
    `Working directory not found: ${directory}/a/b, where the last command`,
  )
  expect(await at()).toBe(directory)
  expect(await readdir(directory)).toEqual([])
})

it("stays where it is after an abort", async () => {
  const { directory, run, at } = await testBash()
  const controller = new AbortController()
  const running = run("cd a; touch ready; sleep 60", {}, { signal: controller.signal })
  await eventually(() => existsSync(join(directory, "a/ready")))
  controller.abort()
  await running
  expect(await at()).toBe(directory)
})

it.each(["$(touch HIT)", "; touch HIT", "-rf", "new\nline\n", "caf\u00e9 'x' \"y\""])("moves to %j", async (name) => {
  const { directory, run, at } = await testBash()
  await mkdir(join(directory, name))
  await writeFile(join(directory, name, "here"), "")
  await run(
    `cd -- "$(printf '%s_' "$NAME" | sed '$s/_$//')" 2>/dev/null || cd -- "$NAME"`,
    {},
    {
      env: async () => ({ PATH: process.env["PATH"] ?? "", NAME: name }),
    },
  )
  expect((await run("ls")).output).toBe("here")
  expect(await at()).toContain(directory)
  expect(existsSync(join(directory, "HIT"))).toBe(false)
})

it("leaves no temporary file", async () => {
  const { run } = await testBash()
  const temporary = await testDirectory()
  vi.stubEnv("TMPDIR", temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  await run("cd a")
  expect(await readdir(temporary)).toEqual([])
})
