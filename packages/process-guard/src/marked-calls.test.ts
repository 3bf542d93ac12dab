import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { currentProcess, type ProcessIdentity } from "@pawl/storage-kit"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Guardian } from "./guardian.ts"
import { createMarkedCalls, type MarkedCallsOptions } from "./marked-calls.ts"
import { callMark, ownerName } from "./owner.ts"
import { procStart } from "./proc-rows.ts"
import { createOwnerFiles, type OwnerFiles } from "./owner-files.ts"
import { readRowsSync } from "./process-table.ts"
import { signalProcess } from "./signal-process.ts"
import { groupName, startedGroup } from "./started-group.ts"

const guarded = { lead: () => undefined, forgetLeader: () => undefined, release: () => undefined }
const unguarded: Guardian = {
  ...{ pid: undefined, guard: () => guarded, guardLater: () => guarded },
  ...{ start: () => undefined, setGrace: () => undefined, close: async () => undefined },
}
const self = currentProcess()
/** Of this run alone: another one's processes are of dead owners too. */
const callKey = `ses/msg/${crypto.randomUUID()}`
const calls = (of: Partial<ProcessIdentity> = {}, more: Partial<MarkedCallsOptions> = {}) =>
  createMarkedCalls({ guardian: unguarded, self: { ...self, ...of }, grace: 200, environment: {}, ...more })
/** A process that lives, but started at another time than its id says here. */
const reused = { start: String(Number(self.start) - 1) }

async function started(env: Readonly<Record<string, string>>, setup = ":", uid?: number): Promise<ChildProcess> {
  const child = spawn("sh", ["-c", `${setup}; echo up; while :; do sleep 1000; done`], {
    env: { ...env, PATH: process.env["PATH"] },
    ...{ detached: true, cwd: "/" },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  onTestFinished(() => {
    for (const row of membersOf(child)) signalProcess(row, "SIGKILL")
  })
  await once(child.stdout, "data")
  return child
}

function membersOf({ pid }: ChildProcess) {
  return readRowsSync().filter((row) => row.session === pid)
}

async function endedPid(): Promise<number> {
  const child = spawn("true", { stdio: "ignore" })
  await once(child, "exit")
  return Number(child.pid)
}

describe.runIf(process.platform === "linux")("what a dead owner left of a call", () => {
  it("is ended, also what ignores SIGTERM, and the call is known to be stopped", async () => {
    const dead = calls({ pid: await endedPid() })
    const child = await started(dead.mark(callKey).env, "trap '' TERM")
    const exit = once(child, "exit")
    const stopped = await calls().endLeft([{ key: callKey, owner: dead.owner }])
    expect([...stopped]).toEqual([callKey])
    expect((await exit)[1]).toBe("SIGKILL")
  })

  it("is known to be stopped if nothing of it is there any more", async () => {
    const dead = calls({ pid: await endedPid() })
    expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([callKey])
  })

  it("is ended, also what ignores SIGTERM without an environment and loses its parent", async () => {
    const dead = calls({ pid: await endedPid() })
    const plain = `env -i setsid sh -c 'trap "" TERM; echo $$; exec sleep 1000'`
    const child = await started(dead.mark(callKey).env, `${plain} & sleep 1000`)
    const below = readRowsSync().find((row) => row.parent === child.pid && row.session === row.id)
    expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([callKey])
    expect(below).toBeDefined()
    expect(readRowsSync().map(({ id }) => id)).not.toContain(below?.id)
  })

  it("is ended if the owner's process id belongs to another process by now", async () => {
    const dead = calls(reused)
    const child = await started(dead.mark(callKey).env)
    const exit = once(child, "exit")
    expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([callKey])
    await exit
  })

  it.each<[string, Partial<ProcessIdentity>]>([
    ["lives", {}],
    ["is of another host", { ...reused, host: "elsewhere" }],
    ["is of another boot, which may be another machine", { ...reused, boot: "other" }],
  ])("stays if the owner %s, and nothing is said of the call", async (_what, owner) => {
    const other = calls(owner)
    const child = await started(other.mark(callKey).env)
    expect([...(await calls().endLeft([{ key: callKey, owner: other.owner }]))]).toEqual([])
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
  })

  it("stays if it belongs to another call", async () => {
    const dead = calls(reused)
    const child = await started(dead.mark("other").env)
    expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([callKey])
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
  })

  it.each(["", "nonsense", "a.b.c.d"])("is not known of an owner that cannot be read: %j", async (owner) => {
    expect([...(await calls().endLeft([{ key: callKey, owner }]))]).toEqual([])
  })

  it("is found inside of what another pawl has started for it, which is ended first", async () => {
    const dead = calls(reused)
    const inner = await started(dead.mark(callKey).env)
    // Another pawl of the same host, which lives until it is ended.
    const owner = { ...self, pid: inner.pid as number, start: procStart(inner.pid as number) as string }
    const below = await started(calls(owner, { environment: dead.mark(callKey).env }).mark("b").env)
    const order: string[] = []
    const exits = [inner, below].map((child, index) => once(child, "exit").then(() => order.push(`${index}`)))
    expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([callKey])
    await Promise.all(exits)
    expect(order).toEqual(["0", "1"])
  })

  it("stays if this process has started it, or is part of it", async () => {
    const dead = calls(reused)
    const inside = dead.mark(callKey).env
    const own = await started(calls({}, { environment: inside }).mark("b").env)
    const left = await started(inside)
    const exit = once(left, "exit")
    expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([])
    await exit
    expect([own.exitCode, own.signalCode]).toEqual([null, null])
  })

  it.runIf(process.geteuid?.() === 0)(
    "stays if it belongs to another user, and nothing is said of the call",
    async () => {
      const dead = calls(reused)
      const other = await started(dead.mark(callKey).env, ":", 65_534)
      expect([...(await calls().endLeft([{ key: callKey, owner: dead.owner }]))]).toEqual([])
      expect([other.exitCode, other.signalCode]).toEqual([null, null])
    },
  )
})

describe.runIf(process.platform === "linux")("what a dead owner left of calls that are over", () => {
  it("is ended where the owner's file tells of it, and the file is removed", async () => {
    const owners = await ownerFiles()
    const dead = [calls(reused), calls({ pid: await endedPid() })]
    const living = await started(calls().mark(callKey).env)
    const unknown = await started(calls({ host: "elsewhere" }).mark(callKey).env)
    const left = await Promise.all(dead.map((each) => started(each.mark(callKey).env, "trap '' TERM")))
    const exits = left.map((child) => once(child, "exit"))
    const kept = [self, { ...self, host: "elsewhere" }, { ...self, boot: "other" }].map((each) => ownerName(each))
    for (const owner of [...dead.map(({ owner }) => owner), ...kept]) owners.add(owner)
    await writeFile(join(owners.directory, "a file of somebody else's"), "")

    expect([...(await calls({}, { owners }).endLeft([]))]).toEqual([])

    await Promise.all(exits)
    expect([living, unknown].map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null])
    expect(new Set(await readdir(owners.directory))).toEqual(new Set([...kept, "a file of somebody else's"]))
  })

  it("stays without such a file: nobody lists all processes for it", async () => {
    const owners = await ownerFiles()
    const table = { read: () => expect.fail("It was read.") }
    const left = await started(calls(reused).mark(callKey).env)
    owners.add(ownerName(self))
    await calls({}, { owners, table }).endLeft([])
    await calls({}, { owners: createOwnerFiles(join(owners.directory, "missing")), table }).endLeft([])
    expect([left.exitCode, left.signalCode]).toEqual([null, null])
  })

  it("keeps the file while something is left", async () => {
    const owners = await ownerFiles()
    const dead = calls(reused)
    owners.add(dead.owner)
    const rows = [
      {
        ...{ id: 2 ** 30, parent: 1, group: 1, session: 1, start: "1", user: 1e9 },
        marks: [callMark(callKey, dead.owner)],
      },
    ]
    await calls({}, { owners, grace: 1, table: { read: async () => rows } }).endLeft([])
    expect(owners.list()).toEqual([dead.owner])
  })

  it("forgets processes of other hosts and boots after a month", async () => {
    const owners = await ownerFiles()
    const [young, old] = ["elsewhere", "nowhere"].map((host) => ownerName({ ...self, host })) as [string, string]
    for (const owner of [young, old]) owners.add(owner)
    const month = Date.now() / 1000 - 31 * 24 * 3600
    await utimes(join(owners.directory, old), month, month)
    await calls({}, { owners }).endLeft([])
    expect(owners.list()).toEqual([young])
  })
})

describe.runIf(process.platform === "linux")("a group without any environment that a dead owner noted", () => {
  /** Four processes or more: a leader that waits for another, and some in the background. */
  const group = async (setup: string) => {
    const child = await started({}, setup)
    while (membersOf(child).length < 4) await delay(10)
    return child
  }
  const kill = async (child: ChildProcess) => {
    const exit = once(child, "exit")
    child.kill("SIGKILL")
    await exit
  }
  const ignoring = "(trap '' TERM; while :; do sleep 1000; done) & :"

  it.each([
    ["is ended by its leader's start", { autogroup: "" }, false],
    ["is ended after its leader's end by the session's number", {}, true],
    [
      "is ended after its leader's end, also in a job's own group",
      {},
      true,
      "bash -c 'set -m; sleep 1000 & sleep 1000 & :' & :",
    ],
  ])("%s", async (_, change, isLeaderGone, setup = ignoring) => {
    const owners = await ownerFiles()
    const { owner } = calls(reused)
    const child = await group(setup)
    owners.add(owner)
    owners.add(groupName({ ...startedGroup(owner, Number(child.pid)), ...change }))
    if (isLeaderGone) await kill(child)
    expect(membersOf(child).length).toBeGreaterThanOrEqual(3)

    expect([...(await calls({}, { owners }).endLeft([{ key: callKey, owner }]))]).toEqual([callKey])

    expect(membersOf(child)).toEqual([])
    expect(await readdir(owners.directory)).toEqual([])
  })

  it("is ended where the system shows no starts, if one of it carries the owner's mark", async () => {
    const owners = await ownerFiles()
    const dead = calls(reused)
    const marked = `PAWL_CALL=${String(dead.mark(callKey).env["PAWL_CALL"])} sleep 1000 & :`
    const child = await group(`${ignoring}; ${marked}`)
    while (!membersOf(child).some(({ marks }) => marks.length > 0)) await delay(10)
    owners.add(groupName({ owner: dead.owner, id: Number(child.pid), start: "", autogroup: "" }))
    await kill(child)

    await calls({}, { owners }).endLeft([])

    expect(membersOf(child)).toEqual([])
  })

  it.each([
    ["its leader has started at another time", { start: "1", autogroup: "" }, false],
    ["its session has another number", { start: "1", autogroup: "1" }, false],
    ["its leader is gone and the session has no number", { autogroup: "" }, true],
    ["its leader is gone and the session has another number", { autogroup: "1" }, true],
    ["the owner lives", { owner: ownerName(self) }, false],
    ["the owner is of another boot", { owner: ownerName({ ...self, boot: "other" }) }, false],
  ])("stays if it may be a stranger's: %s", async (_, change, isLeaderGone) => {
    const owners = await ownerFiles()
    const { owner } = calls(reused)
    const child = await group(ignoring)
    owners.add(groupName({ ...startedGroup(owner, Number(child.pid)), ...change }))
    if (isLeaderGone) await kill(child)
    const before = membersOf(child)

    await calls({}, { owners, grace: 1 }).endLeft([])

    expect(membersOf(child)).toEqual(before)
  })

  it("leaves its calls unnamed, and the files there, while one of it cannot be ended", async () => {
    const owners = await ownerFiles()
    const { owner } = calls(reused)
    const [id, start] = [2 ** 30, "5"]
    const names = [owner, groupName({ owner, id, start, autogroup: "" })]
    for (const name of names) owners.add(name)
    const rows = [{ id, parent: 1, group: id, session: id, start, user: 1e9, marks: [] }]
    const table = { read: async () => rows }
    expect([...(await calls({}, { owners, table }).endLeft([{ key: callKey, owner }]))]).toEqual([])
    expect(owners.list().toSorted()).toEqual(names.toSorted())
  })
})

async function ownerFiles(): Promise<OwnerFiles> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-owners-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return createOwnerFiles(directory)
}
