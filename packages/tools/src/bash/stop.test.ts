import { execFile } from "node:child_process"
import { randomInt, randomUUID } from "node:crypto"
import { getEventListeners } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it, onTestFinished } from "vitest"
import { testContext, type TestContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { overtime } from "../../test/overtime.ts"
import { eventually, processesWith } from "../../test/processes.ts"
import { testTools } from "../../test/tools.ts"

async function run(command: string, directory: string, context?: TestContext) {
  return testTools(directory, { stopGrace: 300 }).run("bash", { command }, context)
}

it("ends the command after its timeout and says so", async () => {
  const directory = await testDirectory()
  const command = "echo start; touch ready; sleep 60; echo never"
  const running = () => testTools(directory).run("bash", { command, timeout: 100 })
  const { output, metadata } = await overtime(running, 100, join(directory, "ready"))
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
  const command = "trap 'echo cleaned; exit' TERM; touch ready; while :; do sleep 0.01; done"
  const running = testTools(directory, { stopGrace: 60_000 }).run("bash", { command }, context)
  await eventually(() => existsSync(join(directory, "ready")))
  controller.abort()
  expect((await running).output).toMatch(/^(Terminated\n)?cleaned\n/)
})

it("gives the command as long for that as it is told to, and no end with 0", async () => {
  const directory = await testDirectory()
  const ended = async (stopGrace: number) => {
    const controller = new AbortController()
    const progress = () => controller.abort()
    const context = testContext(directory, { signal: controller.signal, progress })
    const cleaning = stopGrace === 1 ? 60 : 0.4
    const command = `trap 'sleep ${cleaning}; echo cleaned; exit' TERM; echo ready; while :; do sleep 0.01; done`
    const { output } = await testTools(directory, { stopGrace }).run("bash", { command }, context)
    return output.includes("cleaned")
  }
  expect(await Promise.all([1, 60_000, 0].map(ended))).toEqual([false, true, true])
})

it("starts nothing either when the abort comes while it is getting ready", async () => {
  const directory = await testDirectory()
  const controller = new AbortController()
  const env = async () => {
    setTimeout(() => controller.abort(), 0)
    return { PATH: process.env.PATH ?? "" }
  }
  const context = testContext(directory, { env, signal: controller.signal })
  await expect(run("touch HIT", directory, context)).rejects.toThrow("aborted")
  expect(await readdir(directory)).toEqual([])
  expect(getEventListeners(controller.signal, "abort")).toEqual([])
})

it("takes a command with it that ignores SIGTERM when this process exits", async () => {
  const directory = await testDirectory()
  const flags = ["--conditions=@pawl/source", "--input-type=module", "--eval", exitingProgram]
  const entry = new URL("../index.ts", import.meta.url).href
  const env = { ...process.env, TMPDIR: directory }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, entry, directory], { env })
  const pid = Number(stdout)
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL")
  })
  expect(pid).toBeGreaterThan(1)
  await eventually(() => !isAlive(pid))
})

it("starts nothing once the call is aborted", async () => {
  const directory = await testDirectory()
  const context = testContext(directory, { signal: AbortSignal.abort() })
  await expect(run("touch HIT", directory, context)).rejects.toThrow("aborted")
  expect(await readdir(directory)).toEqual([])
})

/** Exits by itself as soon as its command runs, after printing the command's process id. */
const exitingProgram = `
  import { readFile } from "node:fs/promises"
  const [entry, directory] = process.argv.slice(1)
  const { builtinTools } = await import(entry)
  const bash = builtinTools().find((tool) => tool.name === "bash")
  const command = "trap '' TERM; echo $$ > writing; mv writing pid; while :; do sleep 0.05; done"
  const env = async () => ({ PATH: process.env.PATH })
  const context = { directory, worktree: directory, callID: "call_1", signal: new AbortController().signal, env, progress() {} }
  void bash.execute({ command }, context)
  for (;;) {
    const pid = await readFile(directory + "/pid", "utf8").catch(() => undefined)
    if (pid !== undefined) {
      process.stdout.write(pid, () => process.exit(0))
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
`

function isAlive(pid: number): boolean {
  try {
    // In a container a zombie may wait long for somebody to take note.
    const status = readFileSync(`/proc/${pid}/stat`, "latin1")
    return !status.slice(status.lastIndexOf(")")).startsWith(") Z")
  } catch {
    return false
  }
}

async function commandLines(): Promise<readonly string[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  return Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, "latin1").catch(() => "")))
}
