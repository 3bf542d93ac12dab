import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { currentProcess, isDead, lifeOnAnyMachine, toProcessIdentity } from "./process-identity.ts"

const self = currentProcess()
const onLinux = process.platform === "linux"

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await once(child, "exit")
  return Number(child.pid)
}

it("takes itself for alive", () => {
  expect(isDead(self, currentProcess())).toBe(false)
})

it("takes another living process for alive, whatever its user", () => {
  expect(isDead({ ...self, pid: 1, start: "" }, self)).toBe(false)
  expect(isDead({ ...self, pid: process.ppid, start: "" }, self)).toBe(false)
})

it("knows that a process is gone", async () => {
  expect(isDead({ ...self, pid: await endedPid(), start: "" }, self)).toBe(true)
})

it.runIf(onLinux)("knows a process from an earlier one with its id by its start", () => {
  expect(self.start).toMatch(/^\d+$/)
  expect(isDead({ ...self, start: String(Number(self.start) - 1) }, self)).toBe(true)
})

it.runIf(onLinux)("takes a zombie for dead", async () => {
  // The shell becomes `sleep`, which never asks how the child ended.
  const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 30"], { stdio: ["ignore", "pipe", "ignore"] })
  onTestFinished(() => void parent.kill("SIGKILL"))
  const pid = Number((await createInterface(parent.stdout)[Symbol.asyncIterator]().next()).value)
  while (!readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ")) await sleep(5)
  expect(process.kill(pid, 0)).toBe(true)
  expect(isDead({ ...self, pid, start: "" }, self)).toBe(true)
})

it("cannot tell of a process of another host or process-id namespace", async () => {
  expect(isDead({ ...self, host: "elsewhere", pid: await endedPid() }, self)).toBe(false)
})

it("takes every process of an earlier boot for dead", () => {
  expect(isDead({ ...self, boot: "earlier" }, self)).toBe(true)
})

it.runIf(onLinux)("is not misled by the name of a process", async () => {
  // /proc/<pid>/stat gives the name as it is, and this one looks like the end of a name and the state of a zombie.
  const script = `require("fs").writeFileSync("/proc/self/comm", "a) Z 1 (b"); console.log("named"); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  const pid = Number(child.pid)
  expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain("(a) Z 1 (b)")
  expect(isDead({ ...self, pid, start: "" }, self)).toBe(false)
})

describe.runIf(onLinux)("among processes of any machine", () => {
  it("sees those of this boot and this process-id namespace", async () => {
    expect(lifeOnAnyMachine(self, currentProcess())).toBe("alive")
    expect(lifeOnAnyMachine({ ...self, pid: await endedPid() }, self)).toBe("dead")
    expect(lifeOnAnyMachine({ ...self, start: "1" }, self)).toBe("dead")
  })

  it.each([
    ["another boot", { boot: "another" }],
    ["another process-id namespace", { host: "same pid:[1]" }],
    ["a system that does not show its boot", { boot: "unknown" }],
  ])("knows nothing of a process of %s", async (_what, changes) => {
    const owner = { ...self, pid: await endedPid(), ...changes }
    expect(lifeOnAnyMachine(owner, { ...self, ...("boot" in changes && changes.boot === "unknown" && changes) })).toBe(
      "unknown",
    )
  })

  it("does not take an id alone for a process", () => {
    expect(lifeOnAnyMachine({ ...self, start: "" }, self)).toBe("unknown")
  })
})

it.each([null, 1, "", [], {}, { ...self, pid: 0 }, { ...self, pid: -1 }, { ...self, pid: "1" }, { ...self, boot: 1 }])(
  "takes %j for no identity",
  (value) => {
    expect(toProcessIdentity(value)).toBeUndefined()
    expect(toProcessIdentity({ ...self, other: 1 })).toEqual(self)
  },
)
