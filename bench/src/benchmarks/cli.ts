import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { sessionID } from "@pawl/storage-testkit/samples"
import { runNode } from "../measure/command.ts"
import { cli, installPawl, type Pawl } from "../measure/pawl.ts"
import { peakMemory } from "../measure/peak-memory.ts"
import type { Scratch } from "../measure/scratch.ts"
import { interleaved, median } from "../measure/statistics.ts"
import { milliseconds } from "../report/amount.ts"
import type { Row } from "../report/row.ts"
import { fillSession, fillSessions } from "../storage/fill.ts"
import type { Benchmark } from "./benchmark.ts"

/**
 * For an idle process. A few seconds after the start V8 collects garbage twice, for 60 ms each; then the process is
 * idle.
 */
const WATCHED_SECONDS = 20
const STARTING_SECONDS = 2
/** Unit of the processor time in /proc. */
const TICKS_PER_SECOND = 100

export const commandLine: Benchmark = {
  name: "cli",
  summary: "help texts, a list of very many sessions, a very long session, and waiting",
  async run({ scratch, quick, smallest }) {
    const pawl = await installPawl(scratch)
    const size = smallest ? 0.01 : quick ? 0.1 : 1
    return [
      await help(pawl, smallest ? 1 : quick ? 5 : 21),
      await list(pawl, scratch, { count: 10_000 * size, rounds: smallest ? 1 : 11 }),
      await longSession(pawl, scratch, 20_000 * size),
      ...(process.platform === "linux" ? [await idle(pawl, smallest ? 1 : WATCHED_SECONDS)] : []),
    ]
  },
}

async function help(pawl: Pawl, rounds: number): Promise<Row> {
  const bare = () => runNode(["-e", "0"], pawl.environment, pawl.project).wall
  const text = () => pawl.call(["--help"]).wall
  for (const warm of [bare, text]) warm()
  const samples = await interleaved(rounds, { bare: async () => bare(), text: async () => text() })
  const [least, wall] = [median(samples.bare), median(samples.text)]
  return {
    ...{
      benchmark: "cli",
      what: "pawl --help / node -e 0",
      result: wall / least,
      unit: "×",
      goal: { atMost: 1.5 },
      samples,
    },
    from: `${milliseconds(wall)}, bare node ${milliseconds(least)}`,
  }
}

async function list(
  pawl: Pawl,
  scratch: Scratch,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<Row> {
  const path = join(await scratch.folder(), "many.db")
  const storage = await sqliteStorage({ path, durability: "async" })
  await fillSessions(storage, count)
  await storage.close()
  const call = () => pawl.call(["session", "list", "--all", "--storage", `sqlite:${path}`]).wall
  call()
  const samples = await interleaved(rounds, { list: async () => call() })
  return {
    ...{
      benchmark: "cli",
      what: `pawl session list, ${count} sessions`,
      result: median(samples.list),
      unit: "ms",
      samples,
    },
    ...{ goal: { atMost: 200, informative: true }, from: `median of ${rounds}, process start included` },
  }
}

async function longSession(pawl: Pawl, scratch: Scratch, count: number): Promise<Row> {
  const path = join(await scratch.folder(), "long.db")
  const id = sessionID(1)
  const storage = await sqliteStorage({ path, durability: "async" })
  await fillSession(storage, id, count, 40)
  await storage.close()
  const show = (more: readonly string[]) => {
    return peakMemory(scratch, (options, environment) => {
      return pawl.call(["session", "show", id, "--storage", `sqlite:${path}`, ...more], options, environment)
    })
  }
  const [tail, whole] = [await show(["-n", "20"]), await show([])]
  return {
    ...{ benchmark: "cli", what: `peak memory of pawl session show, ${count} messages`, result: whole, unit: "MiB" },
    ...{
      goal: { atMost: 200 },
      from: `its last 20: ${Math.round(tail)} MiB`,
      samples: { tail: [tail], whole: [whole] },
    },
  }
}

/** Measures the processor share of a process that waits for a message. */
async function idle(pawl: Pawl, seconds: number): Promise<Row> {
  const child = spawn(process.execPath, [cli, "mcp", "serve", "-m", "replay/hello"], {
    ...{ cwd: pawl.project, env: pawl.environment, stdio: ["pipe", "ignore", "ignore"] },
  })
  try {
    await setTimeout(STARTING_SECONDS * 1000)
    const before = await ticks(child.pid)
    await setTimeout(seconds * 1000)
    const share = ((await ticks(child.pid)) - before) / TICKS_PER_SECOND / seconds
    return {
      ...{ benchmark: "cli", what: "processor time of pawl mcp serve, waiting", result: share * 100, unit: "%" },
      ...{ goal: { atMost: 1 }, from: `over ${seconds} s`, samples: { share: [share] } },
    }
  } finally {
    child.kill("SIGKILL")
  }
}

/** Returns the processor time used so far, in user and system mode. Rejects if the process has ended. */
async function ticks(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8")
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return Number(fields[11]) + Number(fields[12])
}
