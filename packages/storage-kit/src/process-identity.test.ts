import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it, onTestFinished } from "vitest"
import { currentProcess, isDead } from "./process-identity.ts"

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
