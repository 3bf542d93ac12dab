import { existsSync, readdirSync, readFileSync } from "node:fs"
import { rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { createGuardian } from "@pawl/process-guard"
import { expect, it, onTestFinished, vi } from "vitest"
import { temporaryDirectory } from "../../test/temporary-directory.ts"
import { shellOutput } from "./shell-output.ts"

const guardian = createGuardian()

async function place(changes: object = {}) {
  const directory = await temporaryDirectory()
  const environment = { PATH: process.env["PATH"] ?? "", GIVEN: "yes" }
  return { ...{ directory, worktree: directory, environment, guardian }, ...changes }
}

it("gives what a command prints, in its directory and with the environment that it may know", async () => {
  const context = await place()
  process.env["NOT_GIVEN"] = "secret"
  expect(await shellOutput('pwd; echo "$GIVEN $NOT_GIVEN"', context)).toBe(`${context.directory}\nyes `)
})

it("reads a command as bash does, by whose grammar it was judged", async () => {
  expect(await shellOutput(`echo $'\\'; echo hit; #'`, await place())).toBe("'; echo hit; #")
})

it("runs in the shell that it is given, and says where that is gone", async () => {
  const context = await place()
  const program = join(context.directory, "sh")
  await symlink("/bin/sh", program)
  const inShell = () => shellOutput("echo $0", { ...context, shell: { name: "sh", program } })
  expect(await inShell()).toBe("sh")
  await rm(program)
  expect(await inShell()).toContain(`there is no ${program} any more`)
})

it("tells how it ended where that was not well, and what it complained of", async () => {
  expect(await shellOutput("echo a; echo oops >&2; exit 3", await place())).toBe(
    "a\n(The command ended with the exit code 3. oops)",
  )
  expect(await shellOutput("kill -9 $$", await place())).toBe("(The command ended with SIGKILL.)")
})

/** Returns the output of a command that is stopped by its deadline after this file exists in its directory. */
async function outputAtDeadline(command: string, file: string, changes: object = {}) {
  const context = await place({ deadline: 100, ...changes })
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const output = shellOutput(command, context)
  await expect.poll(() => existsSync(join(context.directory, file))).toBe(true)
  vi.advanceTimersByTime(100)
  vi.useRealTimers()
  return output
}

it("stops it and all that it started at the deadline", async () => {
  expect(await outputAtDeadline("echo begun; sleep 100 & touch ready; sleep 100", "ready")).toBe(
    "begun\n(The command was stopped after 0.1 seconds.)",
  )
})

it("stops it when it is not wanted any more, whether or not it has begun", async () => {
  const stop = new AbortController()
  const context = await place({ signal: stop.signal })
  const output = shellOutput("touch ready; sleep 100", context)
  await expect.poll(() => existsSync(join(context.directory, "ready"))).toBe(true)
  stop.abort()
  expect(await output).toBe("(The command was stopped.)")
  expect(await shellOutput("touch late", context)).toBe("(The command was stopped.)")
  expect(existsSync(join(context.directory, "late"))).toBe(false)
})

it("cuts long outputs, and reads them to the end", async () => {
  const output = await shellOutput("yes | head -c 3000000; echo done", await place())
  expect(output.length).toBeLessThan(40_000)
  expect(output).toMatch(/more lines of the output are left out\.\)$/)
})

it("does not wait for what a command leaves in the background", async () => {
  expect(await shellOutput("sleep 100 & echo ready", await place())).toBe("ready")
})

it
  .runIf(process.platform === "linux")
  .each(["setsid sleep $N & echo ok", "(setsid sh -c 'trap \"\" TERM; sleep $N; sleep $N' &); echo ok"])(
  "leaves nothing behind: %s",
  async (command) => {
    const { N, environment } = marked()
    expect(await shellOutput(command, await place({ stopGrace: 300, environment }))).toMatch(/^ok/)
    expect(processesWith(N)).toEqual([])
  },
)

it.runIf(process.platform === "linux")("leaves nothing behind at the deadline", async () => {
  const { N, environment } = marked()
  const command = "setsid sleep $N & echo ok; touch ready; sleep 100"
  expect(await outputAtDeadline(command, "ready", { environment })).toMatch(/^ok/)
  expect(processesWith(N)).toEqual([])
})

/** Returns a sleep duration that identifies processes of this test. */
function marked() {
  const N = `4${String(Date.now()).slice(-6)}.${process.pid}`
  return { N, environment: { PATH: process.env["PATH"] ?? "", N } }
}

/** Returns the ids of processes with this text in their arguments or environment. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false
    try {
      return ["cmdline", "environ"].some((file) => readFileSync(`/proc/${id}/${file}`, "latin1").includes(text))
    } catch {
      return false
    }
  })
}
