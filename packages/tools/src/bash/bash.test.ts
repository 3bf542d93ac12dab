import { getEventListeners } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, readdir, readlink, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { testContext, type TestContext, testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { eventually } from "../../test/processes.ts"
import { testTools } from "../../test/tools.ts"
import type { BuiltinToolsOptions } from "../builtin-tools.ts"
import { createToolPaths } from "../tool-paths.ts"
import { bashTool } from "./bash.ts"

async function run(command: string, directory: string, context?: TestContext) {
  return testTools(directory).run("bash", { command }, context)
}

it("returns what the command writes, both streams in the order of writing", async () => {
  const directory = await testDirectory()
  const result = await run("for i in 1 2 3; do echo out $i; echo err $i >&2; done", directory)
  expect(result).toEqual({
    title: "for i in 1 2 3; do echo out $i; echo err $i >&2; done",
    output: "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3",
    metadata: {
      output: "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n",
      exit: 0,
      cwd: directory,
      next: directory,
      truncated: false,
    },
  })
})

it("lets commands open their streams by name", async () => {
  const { output } = await run("echo a > /dev/stderr; echo b | tee /dev/stdout", await testDirectory())
  expect(output).toBe("a\nb\nb")
})

it("shows a failure as a result with its exit code", async () => {
  const directory = await testDirectory()
  const failed = await run("echo before; exit 3", directory)
  expect(failed.output).toBe("before\n\n<shell_metadata>\nExit code: 3\n</shell_metadata>")
  expect(failed.metadata).toMatchObject({ exit: 3 })
  const unknown = await run("no-such-command-here", directory)
  expect(unknown.output).toContain("command not found")
  expect(unknown.metadata).toMatchObject({ exit: 127 })
  const killed = await run("kill -SEGV $$", directory)
  expect(killed.output).toBe("(no output)\n\n<shell_metadata>\nThe command was ended by SIGSEGV.\n</shell_metadata>")
  expect(killed.metadata).toMatchObject({ exit: null })
})

it("says so when there is no output", async () => {
  expect((await run("true", await testDirectory())).output).toBe("(no output)")
})

it("has nothing to read", async () => {
  expect((await run("cat; echo end", await testDirectory())).output).toBe("end")
})

it("runs in the given directory", async () => {
  const directory = await testDirectory({ "sub/a.txt": "" })
  const { output } = await testTools(directory).run("bash", { command: "pwd; ls", workdir: "sub" })
  expect(output).toBe(`${directory}/sub\na.txt`)
  const missing = testTools(directory).run("bash", { command: "pwd", workdir: "nowhere" })
  await expect(missing).rejects.toThrow(`Working directory not found: ${directory}/nowhere`)
})

it("gives the command the context's environment, and what keeps programs from waiting for a person", async () => {
  const directory = await testDirectory()
  const env = async () => ({ PATH: process.env.PATH ?? "", ONLY: "this" })
  const { output } = await run("env | cut -d= -f1 | sort", directory, testContext(directory, { env }))
  const unattended = ["DEBIAN_FRONTEND", "GIT_EDITOR", "GIT_PAGER", "GIT_TERMINAL_PROMPT", "MANPAGER", "PAGER"]
  expect(output.split("\n").filter((name) => !["PWD", "SHLVL", "_"].includes(name))).toEqual(
    ["ONLY", "PATH", "PAWL_CALL", "TERM", ...unattended].toSorted(),
  )
  expect((await run("echo $TERM", directory)).output).toBe("dumb")
})

it("names the calls around it when it runs inside of one", async () => {
  const directory = await testDirectory()
  const env = async () => ({ PATH: process.env.PATH ?? "", PAWL_CALL: "outer" })
  const { output } = await run("echo $PAWL_CALL", directory, testContext(directory, { env }))
  expect(output).toMatch(/^outer:[0-9a-f-]{36}$/)
})

/** A directory with links to these programs of the system. */
async function binaries(names: readonly string[]): Promise<string> {
  const directory = await testDirectory()
  for (const name of names) {
    const program = ["/bin", "/usr/bin"].map((bin) => join(bin, name)).find(existsSync)
    await symlink(program ?? name, join(directory, name))
  }
  return directory
}

/** With a PATH of this process on which there are these programs alone. */
async function withPrograms(names: readonly string[]): Promise<void> {
  vi.stubEnv("PATH", await binaries(names))
  onTestFinished(() => void vi.unstubAllEnvs())
}

it.each([
  ["without bash", ["sh", "mkfifo"]],
  ["without mkfifo", ["bash"]],
  ["without either", ["sh"]],
])("works %s", async (_, programs) => {
  const directory = await testDirectory()
  await withPrograms(programs)
  const { output, metadata } = await run("echo a; echo b >&2; echo c; exit 4", directory)
  expect(output).toMatch(/^a\nb\nc\n/)
  expect(metadata).toMatchObject({ exit: 4 })
})

it("takes the bash that it found for its judgement, whatever the PATH of the command", async () => {
  const [directory, PATH] = [await testDirectory(), await binaries(["sh"])]
  const context = testContext(directory, { env: async () => ({ PATH }) })
  expect((await run("echo $'\\'; echo hit; #'", directory, context)).output).toBe("'; echo hit; #")
})

it("asks for each command where another shell than bash reads it", async () => {
  const directory = await testDirectory()
  const needs = (options?: BuiltinToolsOptions) => {
    const bash = testTools(directory, options).tool("bash")
    return bash.permissions?.(bash.parse({ command: "git status" }), testPlace(directory))
  }
  const asked = (name: string) => [
    { permission: "bash", unclear: `It is read by ${name}, and was judged as bash would read it.` },
  ]
  expect(await needs()).not.toHaveProperty("[0].unclear")
  expect(await needs({ shell: { name: "zsh", program: "/bin/zsh" } })).toMatchObject(asked("zsh"))
  await withPrograms(["sh", "mkfifo"])
  expect(await needs()).toMatchObject(asked("sh"))
})

it("runs commands in the shell that it is given, which tells no directory to the programs that it starts", async () => {
  const directory = await testDirectory({ "sub/a.txt": "" })
  const shell = { name: "dash", program: join(await binaries(["dash"]), "dash") } as const
  const tools = testTools(directory, { shell })
  const { output } = await tools.run("bash", { command: 'echo "$0 $PAWL_CWD$BASH_ENV"; bash -c "cd sub"' })
  expect(output).toBe("dash")
  expect((await tools.run("bash", { command: "pwd" })).output).toBe(directory)
})

it("runs nothing from the command's PATH besides the command", async () => {
  const [directory, bin] = [await testDirectory(), await testDirectory()]
  await writeFile(join(bin, "mkfifo"), `#!/bin/sh\ntouch "${directory}/HIT"\n`, { mode: 0o755 })
  const env = async () => ({ PATH: `${bin}:${process.env.PATH}` })
  expect((await run("echo done", directory, testContext(directory, { env }))).output).toBe("done")
  expect(await readdir(directory)).toEqual([])
})

it("says what is missing without any shell", async () => {
  const directory = await testDirectory()
  await withPrograms([])
  await expect(run("true", directory)).rejects.toThrow("neither bash nor sh")
})

it.runIf(process.platform === "linux")("keeps nothing open of commands that could not be started", async () => {
  const directory = await testDirectory()
  await withPrograms(["mkfifo"])
  const openPipes = async () => {
    const links = (await readdir("/proc/self/fd")).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ""))
    return (await Promise.all(links)).filter((target) => target.includes("pawl-")).length
  }
  for (let round = 0; round < 3; round++) await run("true", directory).catch(() => undefined)
  await eventually(async () => (await openPipes()) === 0)
  expect(await openPipes()).toBe(0)
})

it("leaves no listener on a signal that outlives many calls", async () => {
  const directory = await testDirectory({ "a.txt": "needle\n" })
  const { signal } = new AbortController()
  const tools = testTools(directory)
  const exits = process.listenerCount("exit")
  for (let round = 0; round < 3; round++) {
    await tools.run("bash", { command: "true" }, testContext(directory, { signal }))
    await tools.run("grep", { pattern: "needle" }, testContext(directory, { signal }))
  }
  expect(getEventListeners(signal, "abort")).toEqual([])
  expect(process.listenerCount("exit")).toBe(exits)
})

it("explains a command that is too long for the system", async () => {
  await expect(run(`: ${"x".repeat(200_000)}`, await testDirectory())).rejects.toThrow(
    "Write it to a file and run that.",
  )
})

it("ends with the command, not with what it leaves in the background", async () => {
  const directory = await testDirectory()
  const context = testContext(directory)
  const { output, metadata } = await run("sleep 60 & echo $!", directory, context)
  expect(metadata).toMatchObject({ exit: 0 })
  const pid = Number(output)
  expect(process.kill(pid, 0)).toBe(true)
  process.kill(pid, "SIGKILL")
})

it("lets what it leaves in the background go on writing", async () => {
  const directory = await testDirectory()
  const background = "(sleep 0.3; echo late; echo later; touch finished) & echo started"
  const { output } = await run(background, directory)
  expect(output).toBe("started")
  await eventually(() => existsSync(join(directory, "finished")))
})

it("takes all that was written before the command ended", async () => {
  const { output } = await run("seq 300000", await testDirectory())
  expect(output.endsWith("\n299999\n300000")).toBe(true)
})

it("shows the end of a long output and where the rest is, for read and grep to use", async () => {
  const directory = await testDirectory()
  const outputDirectory = join(await testDirectory(), "outputs")
  const tools = testTools(directory, { outputDirectory })
  const context = testContext(directory)
  const { output, metadata } = await tools.run("bash", { command: "seq 100000" }, context)
  const [, path = ""] = /Full output: (.*)\. Use grep/.exec(output) ?? []
  const delegating = Object.assign(testContext(directory), { canDelegate: true })
  expect((await tools.run("bash", { command: "seq 100000" }, delegating)).output).toMatch(
    /^\.\.\.98000 lines \(\d+ bytes\) truncated\.\.\.\nFull output: .*\. Delegate .* task tool/,
  )
  expect(output).toMatch(/^\.\.\.98000 lines \(\d+ bytes\) truncated\.\.\.\nFull output: /)
  expect(output.endsWith("\n\n" + Array.from({ length: 2000 }, (_, index) => 98_001 + index).join("\n"))).toBe(true)
  expect(metadata).toMatchObject({ truncated: true, exit: 0 })

  const read = tools.tool("read")
  const input = read.parse({ filePath: path, offset: 5000, limit: 1 })
  expect((await read.permissions?.(input, testPlace(directory)))?.map((need) => need.permission)).toEqual(["read"])
  expect((await read.execute(input, context)).output).toContain("5000: 5000")
  const found = await tools.run("grep", { pattern: "^77777$", path })
  expect(found.output).toContain("Line 77777: 77777")
})

it("keeps a long output as a blob alone without an output directory", async () => {
  const directory = await testDirectory()
  const context = testContext(directory)
  const { metadata } = await run("seq 100000", directory, context)
  const [[id, content] = []] = [...context.blobs.stored]
  expect(metadata?.["blob"]).toBe(id)
  expect(content).toHaveLength(588_895)
})

it("tells of tests that failed before an output so long that the model sees its end only", async () => {
  const directory = await testDirectory()
  const bash = bashTool({
    paths: createToolPaths(),
    readTests: (output, exit) => ({ isFailed: exit === 1, failing: output.match(/(?<=FAIL {2}).*/g) ?? [] }),
  })
  const command = "echo ' FAIL  a.test.ts > adds'; yes '    1| const a = 1' | head -4000"
  const ran = async (end: string) => {
    return bash.execute(bash.parse({ command: `${command}; ${end}` }), testContext(directory))
  }
  const { output, metadata } = await ran("exit 1")
  expect(output).not.toContain("FAIL")
  expect(metadata?.["tests"]).toEqual({ isFailed: true, failing: ["a.test.ts > adds"] })
  expect((await ran("exit 0")).metadata).not.toHaveProperty("tests")
})

it("publishes the output while the command runs", async () => {
  const directory = await testDirectory()
  const context = testContext(directory)
  const running = run("echo one; while [ ! -e go ]; do sleep 0.01; done; echo two", directory, context)
  await eventually(() => context.updates.some((update) => update.metadata?.["output"] === "one\n"))
  await mkdir(join(directory, "go"))
  expect((await running).output).toBe("one\ntwo")
})

it("asks for the command, and first for a directory outside", async () => {
  const directory = await testDirectory()
  const outside = await testDirectory()
  const bash = testTools(directory).tool("bash")
  const needs = (input: object) => bash.permissions?.(bash.parse(input), testPlace(directory))
  expect(await needs({ command: "git commit -m x" })).toEqual([
    { permission: "bash", patterns: ["git commit -m x"], directory },
  ])
  expect(await needs({ command: "ls", workdir: outside })).toMatchObject([
    { permission: "external_directory", patterns: [`${outside}/*`] },
    { permission: "bash", patterns: ["ls"] },
  ])
})

it("keeps what this process knows of secrets from its commands", async () => {
  vi.stubEnv("OPENAI_API_KEY", "sk-secret-of-this-process")
  onTestFinished(() => void vi.unstubAllEnvs())
  const { output } = await run("env; (exec 3<>/dev/tty) 2>/dev/null && echo a terminal", await testDirectory())
  expect(output).toContain("PATH=")
  expect(output).not.toMatch(/sk-secret|a terminal/)
})

it("asks nobody: editors, pagers and password prompts end at once", async () => {
  const directory = await testDirectory()
  const { output } = await run(
    "git init -q; git -c user.name=a -c user.email=a@b commit --allow-empty; git log; read -r x || echo nothing to read",
    directory,
  )
  expect(output).toContain("Aborting commit due to empty commit message")
  expect(output).toContain("nothing to read")
})

it("takes 50 MB without a line end, and bytes that are no text", async () => {
  const directory = await testDirectory()
  const context = testContext(directory)
  const { output, metadata } = await run(
    "head -c 50000000 /dev/zero | tr '\\0' a; printf '\\377\\376end'",
    directory,
    context,
  )
  expect(output.length).toBeLessThan(52_000)
  expect(output).toMatch(/a\uFFFD\uFFFDend$/)
  expect(metadata).toMatchObject({ exit: 0, truncated: true })
  expect(metadata?.["output"]).toHaveLength(30_000)
})
