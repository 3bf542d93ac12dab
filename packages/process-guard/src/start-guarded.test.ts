import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { expect, it, onTestFinished, vi } from "vitest"
import type { Guardian } from "./guardian.ts"
import { MARK } from "./marks.ts"
import { createProcessTable, readRowsSync } from "./process-table.ts"
import { signalProcess } from "./signal-process.ts"
import { runGuardedSync, startGuarded } from "./start-guarded.ts"
import { stopProcesses } from "./stop-processes.ts"

/** Notes what is guarded, and guards nothing. */
function notes() {
  const said: string[] = []
  const guard = (token: string) => {
    said.push(`guard ${token.length}`)
    return {
      lead: (group: number) => void said.push(`lead ${group}`),
      forgetLeader: () => void said.push("forget"),
      release: () => void said.push("release"),
    }
  }
  const guardian: Guardian = {
    ...{ pid: undefined, guard, guardLater: guard },
    ...{ start: () => undefined, setGrace: () => undefined, close: async () => undefined },
  }
  return { guardian, said }
}

const env = { PATH: process.env["PATH"], A: "b" }

it("guards a process before its start, inside of what this process belongs to, until it is released", async () => {
  vi.stubEnv(MARK, "outer-call")
  onTestFinished(() => void vi.unstubAllEnvs())
  const { guardian, said } = notes()
  const started = startGuarded(guardian, { env, leads: true }, (marked) => {
    said.push("start")
    return spawn("sh", ["-c", "env; read -r _"], { env: marked, detached: true })
  })
  const [output] = (await once(started.child.stdout, "data")) as [Buffer]
  expect(String(output)).toContain("A=b\n")
  expect(String(output)).toContain(`${MARK}=outer-call:${started.call.token}\n`)
  expect(started.call.leader).toBe(started.child.pid)
  await stopProcesses(started.call, createProcessTable(), 1000)
  started.forgetLeader()
  started.release()
  expect(started.call.leader).toBeUndefined()
  expect(said).toEqual(["guard 36", "start", `lead ${started.child.pid}`, "forget", "release"])
})

it("puts marks that the environment has behind those of this process", () => {
  vi.stubEnv(MARK, "outer-call")
  onTestFinished(() => void vi.unstubAllEnvs())
  const { guardian, said } = notes()
  const run = (marked: object) => spawnSync("sh", ["-c", `echo $${MARK}`], { env: marked as NodeJS.ProcessEnv })
  expect(String(runGuardedSync(guardian, { ...env, [MARK]: "given:outer-call" }, run).stdout)).toMatch(
    /^outer-call:given:[\w-]{36}\n$/,
  )
  expect(said).toEqual(["guard 36", "release"])
})

it("releases what cannot be started", async () => {
  const { guardian, said } = notes()
  const { child } = startGuarded(guardian, { env, leads: true }, (marked) => spawn("/no/such/program", { env: marked }))
  await once(child, "error")
  expect(() => startGuarded(guardian, { env }, () => expect.fail("no start"))).toThrow("no start")
  expect(() => runGuardedSync(guardian, env, () => expect.fail("no run"))).toThrow("no run")
  expect(said).toEqual(["guard 36", "release", "guard 36", "release", "guard 36", "release"])
})

it.runIf(process.platform === "linux")("signals no process whose id is another's by now", async () => {
  const child = spawn("sh", ["-c", "echo up; read -r _"], { stdio: ["pipe", "pipe", "ignore"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  const row = readRowsSync().find(({ id }) => id === child.pid)
  if (!row) return expect.fail("It is not listed.")
  expect(signalProcess({ ...row, start: String(Number(row.start) - 1) }, "SIGKILL")).toBe(false)
  expect(signalProcess({ ...row, start: "" }, 0)).toBe(true)
  expect(signalProcess(row, "SIGKILL")).toBe(true)
  expect((await once(child, "exit"))[1]).toBe("SIGKILL")
  expect(signalProcess(row, 0)).toBe(false)
})
