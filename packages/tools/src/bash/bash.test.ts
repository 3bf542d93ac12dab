import { randomInt, randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, symlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { testContext, type TestContext, testPlace } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { eventually, processesWith } from "../../test/processes.ts"
import { testTools } from "../../test/tools.ts"

async function run(command: string, directory: string, context?: TestContext) {
  return testTools(directory).run("bash", { command }, context)
}

it("returns what the command writes, both streams in the order of writing", async () => {
  const directory = await testDirectory()
  const result = await run("for i in 1 2 3; do echo out $i; echo err $i >&2; done", directory)
  expect(result).toEqual({
    title: "for i in 1 2 3; do echo out $i; echo err $i >&2; done",
    output: "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3",
    metadata: { output: "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n", exit: 0, truncated: false },
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

it("gives the command the context's environment and nothing of its own", async () => {
  const directory = await testDirectory()
  const env = async () => ({ PATH: process.env.PATH ?? "", ONLY: "this" })
  const { output } = await run("env | cut -d= -f1 | sort", directory, testContext(directory, { env }))
  expect(output.split("\n").filter((name) => !["PWD", "SHLVL", "_"].includes(name))).toEqual([
    "ONLY",
    "PATH",
    "PAWL_CALL",
    "TERM",
  ])
  expect((await run("echo $TERM", directory)).output).toBe("dumb")
})

it("names the calls around it when it runs inside of one", async () => {
  const directory = await testDirectory()
  const env = async () => ({ PATH: process.env.PATH ?? "", PAWL_CALL: "outer" })
  const { output } = await run("echo $PAWL_CALL", directory, testContext(directory, { env }))
  expect(output).toMatch(/^outer:[0-9a-f-]{36}$/)
})

it.each([
  ["without bash", ["sh", "cat", "mkfifo"]],
  ["without mkfifo", ["bash", "sh"]],
])("works %s", async (_, programs) => {
  const directory = await testDirectory()
  for (const name of programs) {
    const program = ["/bin", "/usr/bin"].map((bin) => join(bin, name)).find(existsSync)
    await symlink(program ?? name, join(directory, name))
  }
  const env = async () => ({ PATH: directory })
  const { output, metadata } = await run(
    "echo a; echo b >&2; echo c; exit 4",
    directory,
    testContext(directory, { env }),
  )
  expect(output).toMatch(/^a\nb\nc\n/)
  expect(metadata).toMatchObject({ exit: 4 })
})

it("says what is missing without any shell", async () => {
  const directory = await testDirectory()
  const env = async () => ({ PATH: directory })
  await expect(run("true", directory, testContext(directory, { env }))).rejects.toThrow("neither bash nor sh")
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

it("publishes the output while the command runs", async () => {
  const directory = await testDirectory()
  const context = testContext(directory)
  const running = run("echo one; while [ ! -e go ]; do sleep 0.01; done; echo two", directory, context)
  await eventually(() => context.updates.some((update) => update.metadata?.["output"] === "one\n"))
  await mkdir(join(directory, "go"))
  expect((await running).output).toBe("one\ntwo")
})

describe("when it is stopped", () => {
  it("ends the command after its timeout and says so", async () => {
    const directory = await testDirectory()
    const running = testTools(directory).run("bash", { command: "echo start; sleep 60; echo never", timeout: 100 })
    const { output, metadata } = await running
    expect(output).toMatch(/^start\n\n<shell_metadata>\nThe command was ended after 100 ms\./)
    expect(metadata).toMatchObject({ exit: null })
  })

  it("leaves nothing of nested, deaf and daemonised children after an abort", async () => {
    const directory = await testDirectory()
    const mark = randomUUID()
    // Found by its arguments, since it has no environment.
    const lonely = `300.${randomInt(1e9)}`
    onTestFinished(async () => {
      for (const pid of await processesWith(mark)) process.kill(pid, "SIGKILL")
    })
    const controller = new AbortController()
    const env = async () => ({ PATH: process.env.PATH ?? "", MARK: mark })
    const context = testContext(directory, { env, signal: controller.signal })
    const command = [
      "setsid sleep 300 &",
      "(setsid bash -c 'sleep 301 & sleep 302' &)",
      "(trap '' TERM; touch deaf; while :; do sleep 0.05; done) &",
      `env -i sleep ${lonely} &`,
      "bash -c 'bash -c \"sleep 304; true\"; true' &",
      "touch ready; wait",
    ].join("\n")
    const running = run(command, directory, context)
    await eventually(() => existsSync(join(directory, "ready")) && existsSync(join(directory, "deaf")))
    await eventually(async () => (await processesWith(mark)).length >= 7)
    expect(await commandLines()).toContain(`sleep\0${lonely}\0`)

    controller.abort()
    const { output } = await running
    expect(output).toContain("ended because the user aborted the call")
    expect(await processesWith(mark)).toEqual([])
    expect(await commandLines()).not.toContain(`sleep\0${lonely}\0`)
  })

  it("lets the command clean up first", async () => {
    const directory = await testDirectory()
    const controller = new AbortController()
    const context = testContext(directory, { signal: controller.signal })
    const running = run("trap 'echo cleaned; exit' TERM; touch ready; while :; do sleep 0.01; done", directory, context)
    await eventually(() => existsSync(join(directory, "ready")))
    controller.abort()
    expect((await running).output).toMatch(/^(Terminated\n)?cleaned\n/)
  })

  it("starts nothing once the call is aborted", async () => {
    const directory = await testDirectory()
    const context = testContext(directory, { signal: AbortSignal.abort() })
    await expect(run("touch HIT", directory, context)).rejects.toThrow("aborted")
    expect(await readdir(directory)).toEqual([])
  })
})

it("asks for the command, and first for a directory outside", async () => {
  const directory = await testDirectory()
  const outside = await testDirectory()
  const bash = testTools(directory).tool("bash")
  const needs = (input: object) => bash.permissions?.(bash.parse(input), testPlace(directory))
  expect(await needs({ command: "git commit -m x" })).toEqual([{ permission: "bash", patterns: ["git commit -m x"] }])
  expect(await needs({ command: "ls", workdir: outside })).toMatchObject([
    { permission: "external_directory", patterns: [`${outside}/*`] },
    { permission: "bash", patterns: ["ls"] },
  ])
})

async function commandLines(): Promise<readonly string[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  return Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, "latin1").catch(() => "")))
}
