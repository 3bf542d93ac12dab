import { spawnSync } from "node:child_process"
import { copyFile, mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Session } from "@pawl/core"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { describe, expect, it } from "vitest"
import { workplace } from "./workplace.ts"

const CALLS = "pwrite64,fdatasync,ftruncate"
const strace = (...more: readonly string[]) => ["strace", "-qq", "-e", `trace=${CALLS}`, ...more]
const canTrace = spawnSync("strace", ["-V"]).status === 0

/** Each listed session with what its user said in it, newest first. */
async function listed(path: string): Promise<{ session: Session; said: string[] }[]> {
  const storage = await sqliteStorage({ path })
  const all: { session: Session; said: string[] }[] = []
  for await (const session of storage.listSessions()) {
    const said: string[] = []
    for await (const { info, parts } of storage.readMessages(session.id)) {
      if (info.role === "user") said.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    }
    all.push({ session, said })
  }
  await storage.close()
  return all
}

describe.skipIf(!canTrace)(`a run killed at a write of the database${canTrace ? "" : " (needs strace)"}`, () => {
  it("leaves a session with its prompt or no session", async () => {
    const { pawl, start, data, project } = await workplace()
    const script = join(import.meta.dirname, "../demo/hello.jsonl")
    const run = (prompt: string, directory: string, prefix: readonly string[]) => {
      const args = ["run", prompt, "--script", script]
      return start(args, { prefix, environment: { PAWL_DATA_DIR: directory } }).finished
    }
    await pawl(["run", "Earlier", "--script", script])
    const log = join(project, "calls.log")
    expect((await run("Count", data, strace("-o", log))).code).toBe(0)
    const writes = (await readFile(log, "utf8")).split("\n").filter((line) => line.includes("(")).length
    const first = (await listed(join(data, "pawl.db"))).length

    let notStored = 0
    let stored = 0
    // A few writes past the first commit are enough: later ones only add to the session.
    for (let n = 1; n <= writes && stored < 3; n++) {
      const directory = join(project, `data-${n}`)
      await mkdir(directory)
      await copyFile(join(data, "pawl.db"), join(directory, "pawl.db"))
      await run("Later", directory, strace("-o", "/dev/null", "-e", `inject=${CALLS}:signal=KILL:when=${n}`))
      const sessions = await listed(join(directory, "pawl.db"))
      expect(sessions.filter(({ said }) => said.length === 0)).toEqual([])
      if (sessions.length > first) stored++
      else notStored++
    }
    expect([notStored > 0, stored]).toEqual([true, 3])
  })
})
