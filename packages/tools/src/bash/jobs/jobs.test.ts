import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { testContext } from "../../../test/context.ts"
import { testDirectory } from "../../../test/directory.ts"
import { eventually, processesWith } from "../../../test/processes.ts"
import { testTools } from "../../../test/tools.ts"
import { runInBackground } from "../background.ts"
import { createJobs, type JobsOptions } from "./jobs.ts"

async function testJobs(options: JobsOptions = {}) {
  const directory = await testDirectory()
  const outputDirectory = join(await testDirectory(), "outputs")
  const jobs = createJobs({ outputDirectory, ...options })
  onTestFinished(() => jobs.close())
  const tools = testTools(directory, { jobs, outputDirectory, stopGrace: 200 })
  const kept = async () => {
    const names = await readdir(outputDirectory).catch(() => [])
    return (await Promise.all(names.map((name) => readFile(join(outputDirectory, name), "utf8")))).join("")
  }
  return {
    ...{ directory, jobs, tools },
    /** What the logs hold. */
    kept,
    run: (name: string, input: object, sessionID = "ses_test" as const, signal?: AbortSignal) =>
      tools.run(name, input, testContext(directory, { sessionID, ...(signal && { signal }) })),
    start: async (command: string, more: object = {}) => {
      const { output, metadata } = await tools.run(
        "bash",
        { command, background: true, ...more },
        testContext(directory),
      )
      return { output, metadata, jobID: metadata?.["jobID"] as string }
    },
  }
}

/** A command that waits for a file of this name. */
const until = (name: string) => `until [ -e ${name} ]; do sleep 0.01; done`

it("goes on after the call, and tells bit by bit what it writes and how it ended", async () => {
  const { directory, start, run } = await testJobs()
  const { output, jobID, metadata } = await start(
    "echo ready; while [ ! -e go ]; do sleep 0.02; done; echo done; exit 3",
  )
  expect(output).toBe(
    `ready\n\n<shell_metadata>\nJob ${jobID} is running. Look again with bash_output, end it with bash_kill.\n</shell_metadata>`,
  )
  expect(metadata).toMatchObject({ status: "running" })
  expect((await run("bash_output", { jobID })).output).toMatch(/^\(no new output\)/)
  await run("write", { filePath: "go", content: "" })
  const ended = await run("bash_output", { jobID, wait_ms: 10_000 })
  expect(ended.output).toMatch(/^done\n/)
  const last = await run("bash_output", { jobID, wait_ms: 10_000 })
  expect(last.output).toContain(`Job ${jobID} has ended: exit code 3.`)
  expect(last.metadata).toMatchObject({ status: "ended", exit: 3 })
  expect(existsSync(join(directory, "go"))).toBe(true)
})

it("tells at once of a command that ends at once", async () => {
  const { start } = await testJobs()
  expect((await start("echo no such port; exit 1")).output).toMatch(
    /^no such port\n\n.*\nJob job_\w+ has ended: exit code 1\./,
  )
})

it("shows new lines that match, and waits for one", async () => {
  const { directory, start, run, kept } = await testJobs()
  const { jobID } = await start(
    `echo; ${until("go")}; echo noise; echo 'error: a'; echo noise; ${until("on")}; echo listening; sleep 60`,
  )
  const looking = run("bash_output", { jobID, filter: "^listening$", wait_ms: 10_000 })
  await writeFile(join(directory, "go"), "")
  await eventually(async () => (await kept()).endsWith("noise\n"))
  await writeFile(join(directory, "on"), "")
  const found = await looking
  expect(found.output).toMatch(/^listening\n/)
  expect((await run("bash_output", { jobID })).output).toMatch(/^\(no new output\)/)
  await expect(run("bash_output", { jobID, filter: "(" })).rejects.toThrow("not a regular expression")
})

it("shows the end of a long output and where the whole is", async () => {
  const { directory, start, run, kept } = await testJobs()
  const { jobID } = await start(`echo; ${until("go")}; seq 200000`)
  await writeFile(join(directory, "go"), "")
  // A look says what came since the last one: the first is to come when all is there.
  await eventually(async () => (await kept()).endsWith("\n200000\n"))
  const { output: rest } = await run("bash_output", { jobID, wait_ms: 10_000 })
  expect(rest).toMatch(/^\.\.\.\d+ bytes left out\.\.\.\nFull output: /)
  expect(rest).toContain("\n199999\n200000\n")
  expect((await kept()).split("\n")).toHaveLength(200_002)
})

it("is killed with all that it started, also what left its process group", async () => {
  const { directory, start, run } = await testJobs()
  const mark = `MARK_${crypto.randomUUID().replaceAll("-", "")}`
  const { jobID } = await start(
    `export ${mark}=1; setsid sleep 300 & (setsid sleep 301 &); sleep 302 & touch ready; echo; trap '' TERM; wait; sleep 303`,
  )
  await eventually(async () => existsSync(join(directory, "ready")) && (await processesWith(mark)).length >= 3)
  const killed = await run("bash_kill", { jobID })
  expect(killed.output).toContain(`Job ${jobID} has ended: it was killed.`)
  expect(await processesWith(mark)).toEqual([])
  expect((await run("bash_kill", { jobID })).output).toContain("it was killed")
})

it("ends them all when the tools are closed, what they left behind included", async () => {
  const { start, jobs } = await testJobs()
  const mark = `MARK_${crypto.randomUUID().replaceAll("-", "")}`
  await start(`export ${mark}=1; sleep 300 & exit 0`)
  await start(`export ${mark}=1; echo; setsid sleep 301`)
  await eventually(async () => (await processesWith(mark)).length >= 2)
  await jobs.close()
  expect(await processesWith(mark)).toEqual([])
  await expect(start("true")).rejects.toThrow("about to end")
})

it("knows the jobs of the own session alone, and names them where an id is unknown", async () => {
  const { start, run } = await testJobs()
  await expect(run("bash_output", { jobID: "job_old" })).rejects.toThrow(
    "There is no job job_old in this session. Jobs end with the program that started them. The session has no jobs now.",
  )
  const { jobID } = await start("echo a; sleep 60")
  await expect(run("bash_kill", { jobID: "job_old" })).rejects.toThrow(`There are: ${jobID} (echo a; sleep 60).`)
  const other = run("bash_output", { jobID }, "ses_other" as "ses_test")
  await expect(other).rejects.toThrow(`There is no job ${jobID} in this session.`)
})

it("starts no more of them than it may, and forgets the oldest that ended", async () => {
  const { start, run } = await testJobs({ limit: 2 })
  const first = await start("echo; sleep 60")
  await start("echo; sleep 61")
  await expect(start("echo; sleep 62")).rejects.toThrow(
    `2 jobs are running, and there can be no more. End one with bash_kill: ${first.jobID} (echo; sleep 60)`,
  )
  await run("bash_kill", { jobID: first.jobID })
  const ended = [await start("true"), await start("true"), await start("true")]
  await expect(run("bash_output", { jobID: first.jobID })).rejects.toThrow("There is no job")
  expect((await run("bash_output", { jobID: ended[2]?.jobID })).output).toContain("has ended")
})

it("ends with an abort of the call that starts it, and with its own time", async () => {
  const { directory, jobs, run, start } = await testJobs()
  const mark = `MARK_${crypto.randomUUID().replaceAll("-", "")}`
  const controller = new AbortController()
  const command = `export ${mark}=1; sleep 60; true`
  const env = { PATH: process.env["PATH"] ?? "" }
  const options = { command, cwd: directory, env, jobs, isReadable: false, startWait: 600_000 }
  const starting = runInBackground(options, testContext(directory, { signal: controller.signal }))
  const refusal = starting.then(() => undefined, String)
  await eventually(async () => (await processesWith(mark)).length > 0)
  controller.abort()
  expect(await refusal).toContain("abort")
  expect(await processesWith(mark)).toEqual([])
  const { jobID } = await start("sleep 60", { timeout: 50 })
  const ended = async () => (await run("bash_output", { jobID, wait_ms: 1000 })).output
  await eventually(async () => (await ended()).includes("has ended: its time was over."))
})

it("leaves the session's directory as it is", async () => {
  const { directory, start, run } = await testJobs()
  await run("bash", { command: "mkdir sub" })
  await start("cd sub")
  expect((await run("bash", { command: "pwd" })).output).toBe(directory)
})

/** Starts a job, a command and a formatter, and waits to be killed. */
const program = `
  const [entry, directory] = process.argv.slice(1)
  const { builtinTools } = await import(entry)
  const script = "trap '' TERM; (setsid sleep 300 &); touch $BEGUN; while :; do sleep 0.05; done"
  const formatters = [{ name: "slow", command: ["sh", "-c", script], extensions: [".md"], timeout: 0 }]
  const tools = builtinTools({ stopGrace: 200, afterEdit: { formatters } })
  const run = (name, input, mark) => {
    const env = async () => ({ PATH: process.env.PATH, MARK: directory + mark, BEGUN: directory + mark })
    const files = { before: async () => {}, after: async () => {} }
    const context = { directory, worktree: directory, sessionID: "ses_1", signal: new AbortController().signal, env, files, progress() {} }
    tools.find((tool) => tool.name === name).execute(input, context).catch((error) => console.error(error))
  }
  run("bash", { command: script, background: true }, "/job")
  run("bash", { command: script }, "/command")
  run("write", { filePath: "a.md", content: "a" }, "/formatter")
  setInterval(() => {}, 1000)
`

it.runIf(process.platform === "linux")("ends them, commands and formatters when this process is killed", async () => {
  const directory = await testDirectory()
  const entry = new URL("../../index.ts", import.meta.url).href
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", program]
  const engine = spawn(process.execPath, [...flags, entry, directory], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ["ignore", "ignore", "inherit"],
  })
  onTestFinished(() => void engine.kill("SIGKILL"))
  for (const name of ["job", "command", "formatter"]) {
    await eventually(() => existsSync(join(directory, name)))
    await eventually(async () => (await processesWith(`MARK=${directory}/${name}`)).length >= 2)
  }
  expect(engine.exitCode).toBeNull()
  engine.kill("SIGKILL")
  await eventually(async () => (await processesWith(`MARK=${directory}`)).length === 0)
})
