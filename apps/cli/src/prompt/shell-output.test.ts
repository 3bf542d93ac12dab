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
  expect(await shellOutput("sleep 100", await place({ signal }))).toContain("SIGKILL")
})

it("cuts long outputs, and reads them to the end", async () => {
  const output = await shellOutput("yes | head -c 3000000; echo done", await place())
  expect(output.length).toBeLessThan(40_000)
  expect(output).toMatch(/more lines of the output are left out\.\)$/)
})

it("does not wait for what a command leaves in the background", async () => {
  expect(await shellOutput("sleep 100 & echo ready", await place())).toBe("ready")
})
