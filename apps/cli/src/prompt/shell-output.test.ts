import { readdirSync, readFileSync } from "node:fs"
import { rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../../test/host.ts"
import { shellOutput } from "./shell-output.ts"

async function place(changes: object = {}) {
  const directory = await temporaryDirectory()
  return { directory, worktree: directory, environment: { PATH: process.env["PATH"] ?? "", GIVEN: "yes" }, ...changes }
}

it("gives what a command prints, in its directory and with the environment that it may know", async () => {
  const desk = await place()
  process.env["NOT_GIVEN"] = "secret"
  expect(await shellOutput('pwd; echo "$GIVEN $NOT_GIVEN"', desk)).toBe(`${desk.directory}\nyes `)
})

it("reads a command as bash does, by whose grammar it was judged", async () => {
  expect(await shellOutput(`echo $'\\'; echo hit; #'`, await place())).toBe("'; echo hit; #")
})

it("runs in the shell that it is given, and says where that is gone", async () => {
  const desk = await place()
  const program = join(desk.directory, "sh")
  await symlink("/bin/sh", program)
  const inShell = () => shellOutput("echo $0", { ...desk, shell: { name: "sh", program } })
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

it("stops it and all that it started at the deadline, and when it is not wanted any more", async () => {
  expect(await shellOutput("echo begun; sleep 100 & sleep 100", await place({ deadline: 100 }))).toBe(
    "begun\n(The command was stopped after 0.1 seconds.)",
  )
  const signal = AbortSignal.timeout(50)
  expect(await shellOutput("sleep 100", await place({ signal }))).toBe("(The command was stopped.)")
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
  .each([
    "setsid sleep $N & echo ok",
    "(setsid sh -c 'trap \"\" TERM; sleep $N; sleep $N' &); echo ok",
    "setsid sleep $N & echo ok; sleep 100",
  ])("leaves nothing behind: %s", async (command) => {
  const N = `4${String(Date.now()).slice(-6)}.${process.pid}`
  const desk = await place({ deadline: 500, stopGrace: 300 })
  const output = await shellOutput(command, { ...desk, environment: { ...desk.environment, N } })
  expect(output).toMatch(/^ok/)
  expect(processesWith(N)).toEqual([])
})

/** The ids of processes with this text in their arguments or their environment. */
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
