import { existsSync, readdirSync, readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { modelServer, reply, stall } from "@pawl/model-server"
import { expect, it } from "vitest"
import { workplace } from "./workplace.ts"

const WINDOW = 1000
/** One of them at least is without what comes once, such as what is loaded when a run has lasted for a second. */
const WINDOWS = 12
const MOST = 0.01

/** Milliseconds that all threads of a process have had a processor so far. */
function worked(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0])
  return times.reduce((all, time) => all + Number(time) / 1e6, 0)
}

it.skipIf(!existsSync("/proc/self/schedstat"))(
  "takes less than a hundredth of a processor while it waits for a model",
  async () => {
    const { start } = await workplace()
    await using server = await modelServer({ replies: [reply(stall())] })
    const { child } = start(["run", "-m", "custom/test", "--base-url", server.url, "hi"])
    const pid = child.pid ?? 0
    while (server.requests.length === 0) await setTimeout(50)

    const shares: number[] = []
    do {
      const before = worked(pid)
      await setTimeout(WINDOW)
      shares.push((worked(pid) - before) / WINDOW)
    } while (shares.length < WINDOWS && Math.min(...shares) >= MOST)

    expect(child.exitCode).toBeNull()
    expect(Math.min(...shares)).toBeLessThan(MOST)
  },
)
