import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { startChild } from "@pawl/storage-testkit/processes"
import { expect, it } from "vitest"
import { findBinaries } from "./index.ts"

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.skipIf(!findBinaries())("ends with the process that started it, however that ended", async () => {
  const { process: child, lines } = startChild(new URL("../test/start-server.ts", import.meta.url), [])
  const { pid, directory } = JSON.parse((await lines.next()).value ?? "{}") as { pid: number; directory: string }
  expect(isAlive(pid)).toBe(true)
  child.kill("SIGKILL")
  while (isAlive(pid) || existsSync(directory)) await sleep(20)
  expect(existsSync(directory)).toBe(false)
})
