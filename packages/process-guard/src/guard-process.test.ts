import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as delay } from "node:timers/promises"
import { currentProcess } from "@pawl/storage-kit"
import { describe, expect, it, onTestFinished } from "vitest"
import { environmentOf } from "../test/environment.ts"
import { guardProcess, unguarded } from "./guard-process.ts"
import { createOwnerFiles } from "./owner-files.ts"
import { callMark, ownerName } from "./owner.ts"
import { createProcessTable } from "./process-table.ts"
import { groupName, startedGroup } from "./started-group.ts"

const index = new URL("index.ts", import.meta.url).href
const own = callMark("", ownerName(currentProcess()))

/**
 * A program that guards itself, with children whose starters know nothing of that: each has `NAME=<name>` in its
 * environment. `then` runs when all are up.
 */
async function program(then = ""): Promise<{ owner: ChildProcess; name: string; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-guard-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  const name = crypto.randomUUID()
  const script = `
    import { spawn, spawnSync } from "node:child_process"
    import { createOwnerFiles, guardProcess, startGuarded } from ${JSON.stringify(index)}
    const guard = guardProcess(process.env, { grace: 200 })
    guard.keepFile(createOwnerFiles(${JSON.stringify(directory)}))
    guard.start()
    process.env.NAME = ${JSON.stringify(name)}
    const up = []
    const begin = (child) => up.push(new Promise((resolve) => child.stdout.once("data", resolve)))
    const command = ["-c", "echo up; sleep 1000"]
    begin(spawn("sh", command))
    begin(spawn("setsid", ["sh", ...command], { detached: true }))
    const env = { PATH: process.env.PATH, NAME: process.env.NAME }
    begin(startGuarded(guard, { env }, (env) => spawn("sh", command, { env })).child)
    await Promise.all(up)
    console.log(JSON.stringify(["up", guard.pid]))
    ${then}
    spawnSync("sh", ["-c", "sleep 1000"])
  `
  const args = ["--conditions=@pawl/source", "--input-type=module", "-e", script]
  const owner = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(async () => {
    owner.kill("SIGKILL")
    for (const id of await named(name)) process.kill(id, "SIGKILL")
  })
  await once(createInterface(owner.stdout), "line")
  return { owner, name, directory }
}

async function named(name: string): Promise<number[]> {
  const rows = (await createProcessTable().read()) ?? []
  return rows.map(({ id }) => id).filter((id) => environmentOf(id).includes(`NAME=${name}`))
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20)
}

describe.runIf(process.platform === "linux")("a program that guards itself", () => {
  it("leaves nothing that it started in any way when it is killed, and its file tells the next one to look", async () => {
    const { owner, name, directory } = await program()
    // Six: three shells with a sleep each; two more for what it waits for meanwhile.
    await until(async () => (await named(name)).length >= 8)
    expect(await readdir(directory)).toEqual([expect.stringContaining(`.${owner.pid}.`)])

    owner.kill("SIGKILL")
    await until(async () => (await named(name)).length === 0)

    expect(await readdir(directory)).toHaveLength(1)
  })

  it("leaves what only inherits its environment, and no file, when it ends by itself", async () => {
    const { owner, name, directory } = await program("process.on('exit', () => guard.release()); process.exit()")
    await once(owner, "exit")
    // Of the one that `startGuarded` has started nothing is left.
    await until(async () => (await named(name)).length === 4)
    expect(await readdir(directory)).toEqual([])
  })
})

it("marks the environment inside of what it belongs to, starts nothing by itself, and keeps its file in one place", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pawl-guard-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const [one, two] = [join(directory, "one"), join(directory, "two")]
  const environment: Record<string, string | undefined> = { PAWL_CALL: "outer-call", A: "b" }
  const guard = guardProcess(environment)
  guard.keepFile(createOwnerFiles(one))
  expect(environment).toEqual({ PAWL_CALL: `outer-call:${own}`, A: "b" })
  expect([guard.pid, await readdir(directory)]).toEqual([undefined, []])

  guard.start()
  guard.keepFile(createOwnerFiles(two))
  expect([await readdir(one), await readdir(two)]).toEqual([[], [ownerName(currentProcess())]])

  guard.release()
  await guard.close()
  expect(await readdir(two)).toEqual([])
})

it.runIf(process.platform === "linux")(
  "has a file for each group that it guards, for its owner's eyes only",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "pawl-guard-"))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const [one, two] = [join(directory, "one"), join(directory, "two")]
    const guard = guardProcess({})
    guard.keepFile(createOwnerFiles(one))
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" })
    onTestFinished(() => void child.kill("SIGKILL"))
    const [owner, group] = [ownerName(currentProcess()), Number(child.pid)]
    const name = groupName(startedGroup(owner, group))
    const guarded = guard.guard(crypto.randomUUID())
    guarded.lead(group)
    expect((await readdir(one)).toSorted()).toEqual([owner, name])
    expect((await stat(join(one, name))).mode & 0o777).toBe(0o600)

    guard.keepFile(createOwnerFiles(two))
    expect([await readdir(one), (await readdir(two)).toSorted()]).toEqual([[], [owner, name]])

    guarded.forgetLeader()
    expect(await readdir(two)).toContain(name)
    guarded.release()
    expect(await readdir(two)).toEqual([owner])

    guard.guard(crypto.randomUUID()).lead(group)
    expect(await readdir(two)).toContain(name)
    guard.release()
    expect(await readdir(two)).toEqual([])
    await guard.close()
  },
)

it("lets a process outlive it that belongs to what it belongs to itself", () => {
  expect(unguarded({ PAWL_CALL: `outer-call:${own}:${callMark("a", ownerName(currentProcess()))}`, A: "b" })).toEqual({
    ...{ PAWL_CALL: "outer-call", A: "b" },
  })
  expect(unguarded({ PAWL_CALL: own })).toEqual({ PAWL_CALL: undefined })
})
