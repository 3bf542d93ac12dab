import { type ChildProcess, spawn } from "node:child_process"
import { on, once } from "node:events"
import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { createGuardian } from "./guardian.ts"
import { createProcessTable, type ProcessSource } from "./process-table.ts"
import { PS_OPTIONS } from "./ps-rows.ts"

const MARK = "PAWL_CALL"
const guardian = new URL("guardian.ts", import.meta.url).href

/** A process that guards one token and has released another, with a child of each. */
async function owner(live: string, released: string, source: ProcessSource = "proc"): Promise<ChildProcess> {
  const script = `
    import { spawn } from "node:child_process"
    import { createGuardian } from ${JSON.stringify(guardian)}
    const guardian = createGuardian({ grace: 5000, source: ${JSON.stringify(source)} })
    guardian.setGrace(200)
    const begin = (token, command) => {
      const guarded = guardian.guard(token)
      const env = { PATH: process.env.PATH, ${MARK}: token }
      const child = spawn("sh", ["-c", command], { env, detached: true, stdio: "ignore" })
      guarded.lead(child.pid)
      return guarded
    }
    begin(${JSON.stringify(live)}, "setsid sh -c 'trap \\"\\" TERM; sleep 1000; sleep 1000' & sleep 1000")
    begin(${JSON.stringify(released)}, "sleep 1000").release()
    setTimeout(() => {}, 1e6)
    setInterval(() => console.log("guardian", guardian.pid), 20)
  `
  const args = ["--conditions=@pawl/source", "--input-type=module", "-e", script]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(async () => {
    child.kill("SIGKILL")
    for (const token of [live, released]) for (const id of await marked(token)) process.kill(id, "SIGKILL")
  })
  await once(child.stdout, "data")
  return child
}

async function marked(token: string): Promise<number[]> {
  const rows = (await createProcessTable().read()) ?? []
  return rows.filter((row) => row.marks.includes(token)).map(({ id }) => id)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20)
}

/** The guardian's process id, as the owner prints it again and again. */
async function guardianOf(child: ChildProcess, isWanted = (_id: number) => true): Promise<number> {
  for await (const [chunk] of on(child.stdout as Readable, "data")) {
    const id = Number(/guardian (\d+)\n$/.exec(String(chunk))?.[1])
    if (id > 0 && isWanted(id)) return id
  }
  return expect.fail("The owner has ended.")
}

describe.runIf(process.platform === "linux")("a guardian", () => {
  it("guards what there is already when it takes the place of one that was killed", async () => {
    const live = crypto.randomUUID()
    const process_ = await owner(live, crypto.randomUUID())
    await until(async () => (await marked(live)).length >= 3)
    const first = await guardianOf(process_)
    process.kill(first, "SIGKILL")
    await guardianOf(process_, (id) => id !== first)
    process_.kill("SIGKILL")
    await until(async () => (await marked(live)).length === 0)
    expect(process_.killed).toBe(true)
  })

  it.each<[string, ProcessSource]>([
    ["/proc", "proc"],
    ["ps", { ps: PS_OPTIONS[process.platform] ?? "" }],
  ])("ends what its owner guards when that is killed, found by %s, and leaves what was released", async (_, source) => {
    const [live, released] = [crypto.randomUUID(), crypto.randomUUID()]
    const process_ = await owner(live, released, source)
    await until(async () => (await marked(live)).length >= 3 && (await marked(released)).length > 0)

    process_.kill("SIGKILL")
    await until(async () => (await marked(live)).length === 0)

    expect(await marked(released)).not.toEqual([])
  })

  it("is one process, which is replaced when it is killed, and ends with its owner's last word", async () => {
    const guardian = createGuardian()
    const guarded = guardian.guard(crypto.randomUUID())
    guardian.guard(crypto.randomUUID())
    const first = guardian.pid as number
    process.kill(first, "SIGKILL")
    await until(async () => guardian.pid !== undefined && guardian.pid !== first)
    guarded.release()
    await guardian.close()
    expect(guardian.pid).toBeUndefined()
  })

  it("guards what is begun while it closes", async () => {
    const [old, young] = [crypto.randomUUID(), crypto.randomUUID()]
    const guardian = createGuardian({ grace: 100 })
    const begin = (token: string) => {
      guardian.guard(token)
      const child = spawn("sleep", ["1000"], { env: { PATH: process.env["PATH"], [MARK]: token }, stdio: "ignore" })
      onTestFinished(() => void child.kill("SIGKILL"))
      return child
    }
    begin(old)
    const first = guardian.pid
    const closed = guardian.close()
    begin(young)
    const second = guardian.pid
    expect(second).toEqual(expect.any(Number))
    expect(second).not.toBe(first)
    await closed
    expect([await marked(old), (await marked(young)).length]).toEqual([[], 1])
    await guardian.close()
    expect([await marked(young), guardian.pid]).toEqual([[], undefined])
  })

  it("ends what is guarded if it is closed just after its shell was killed", async () => {
    const token = crypto.randomUUID()
    const guardian = createGuardian({ grace: 100 })
    guardian.guard(token)
    const child = spawn("sleep", ["1000"], { env: { PATH: process.env["PATH"], [MARK]: token }, stdio: "ignore" })
    onTestFinished(() => void child.kill("SIGKILL"))
    process.kill(guardian.pid ?? 0, "SIGKILL")
    while (guardian.pid !== undefined) await new Promise(setImmediate)
    await Promise.all([guardian.close(), guardian.close()])
    expect(await marked(token)).toEqual([])
  })

  it.each(["", "short", "with:a:colon:in:it:and:long", "with a space in it, and long", "a\nb and some more letters"])(
    "refuses the token %j",
    (token) => {
      expect(() => createGuardian().guard(token)).toThrow(RangeError)
    },
  )
})
