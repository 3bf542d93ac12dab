import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"

const command = ["--conditions=@pawl/source", fileURLToPath(new URL("main.ts", import.meta.url))]

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "pawl-faults-test-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, NODE_NO_WARNINGS: "1", ...environment }
  return spawnSync(process.execPath, [...command, ...args], { env, encoding: "utf8" })
}

it.each([
  [["--subject", "sqllite"], "No storage is called sqllite. Known: file, sqlite, postgres."],
  [["--subject", "file", "--only", "kills"], 'No sweep has "kills" in its name. There are: killed at a system call;'],
])("refuses %j", (args, message) => {
  const { status, stderr } = run(args)
  expect(stderr).toContain(message)
  expect(status).toBe(2)
})

it("says why a sweep is left out where strace is missing", () => {
  const path = temporaryDirectory()
  symlinkSync(process.execPath, join(path, "node"))
  const { status, stdout } = run(["--subject", "sqlite", "--only", "power"], { PATH: path })
  expect(stdout).toContain("power cut, sqlite: skipped, strace is not installed.")
  expect(stdout).toContain("without: fsync and fdatasync, sqlite: skipped, strace is not installed.")
  expect(status).toBe(0)
})

it("leaves nothing behind when it is interrupted in the middle of a sweep", async () => {
  const directory = temporaryDirectory()
  const env = { ...process.env, TMPDIR: directory, NODE_NO_WARNINGS: "1" }
  const before = readdirSync("/dev/shm")
  const child = spawn(process.execPath, [...command, "--full", "--subject", "sqlite", "--only", "random"], { env })
  onTestFinished(() => void child.kill("SIGKILL"))
  const made = () => readdirSync("/dev/shm").filter((name) => !before.includes(name) && name.startsWith("pawl-faults-"))
  const isRunning = () => made().some((name) => readdirSync(join("/dev/shm", name)).length > 0)
  const ended = once(child, "close")
  while (!isRunning() && child.exitCode === null) await sleep(20)
  await sleep(300)
  const own = made()
  child.kill("SIGINT")
  expect(await ended).toEqual([130, null])
  expect(readdirSync(directory)).toEqual([])
  expect(own.filter((name) => existsSync(join("/dev/shm", name)))).toEqual([])
})
