import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { crashStates, type CrashState } from "../crash-states/crash-points.ts"
import { digest } from "../crash-states/digest.ts"
import { materialize } from "../crash-states/materialize.ts"
import { replayedCalls } from "../crash-states/replay.ts"
import type { SystemCall } from "../crash-states/system-call.ts"
import { letGo, startChild } from "../processes/child.ts"
import { inAnotherBoot } from "../processes/another-boot.ts"
import { attachStrace, endOf } from "../processes/strace.ts"
import { createJudge } from "../record/judge.ts"
import { inNewDirectory } from "./in-place.ts"
import { inspectStore, type Inspection } from "./inspect-store.ts"
import type { Subject } from "../subjects/subject.ts"
import type { WorkloadOptions } from "../workload/options.ts"
import type { Lab, Skipped, Sweep, SweepResult } from "./sweep.ts"

/** The workload is recorded once; then the power is cut after each of its calls, in every way that it may be. */
export function cutPower(subject: Subject): Sweep {
  const isSync = ({ name }: SystemCall) => name === "fsync" || name === "fdatasync"
  const { journal } = subject
  return {
    name: "power cut",
    subject,
    run: (lab) => sweep(lab, subject),
    twins: [
      {
        guard: "fsync and fdatasync",
        complaint: /Session .* possible|Cannot be used/,
        run: (lab) => sweep(lab, subject, { without: isSync }),
      },
      {
        guard: "what a journal holds is brought back",
        complaint: /Session .* possible|Cannot be used/,
        run: (lab) => sweep(lab, subject, { forgotten: (path) => journal?.test(path) ?? false }),
      },
    ],
  }
}

/** What is broken on purpose. */
interface Broken {
  /** Calls that the storage did not make. */
  readonly without?: (call: SystemCall) => boolean
  /** Files that are gone when it is opened again. */
  readonly forgotten?: (path: string) => boolean
}

async function sweep(lab: Lab, subject: Subject, broken?: Broken): Promise<SweepResult | Skipped> {
  if (lab.straceMissing) return { skipped: lab.straceMissing }
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const disk = join(directory, "disk")
    const log = join(directory, "attempts.jsonl")
    const trace = await recordWorkload(lab, subject, disk, log)
    const options = { directory: disk, step: lab.scale.stateStep, ...broken }
    const judge = createJudge()
    const inspections = new Map<string, Inspection>()
    const bad: string[] = []
    let points = 0
    for (const state of crashStates(trace, options)) {
      points++
      lab.onPoint()
      const inspection = await inspect(lab, subject, remaining(state.files, broken?.forgotten), inspections)
      const problems = await judgeState(state, inspection, judge)
      if (problems.length > 0) bad.push(`${describe(state)}: ${problems.join(" ")}`)
      // Of what is broken on purpose, one finding is enough.
      if (broken && bad.length > 0) break
      // The generator's work and the checks leave no pause of their own.
      if (points % 50 === 0) await sleep(0)
    }
    return { points, bad, note: `${inspections.size} different states` }
  })
}

async function recordWorkload(lab: Lab, subject: Subject, disk: string, log: string): Promise<string> {
  const { size } = lab.scale
  const options: WorkloadOptions = { url: subject.url(disk), directory: "/srv/project", log, size, retries: 0 }
  const trace = `${disk}.trace`
  const child = await startChild(lab, "workload", options, await inAnotherBoot(`${disk}.boot`))
  const calls = replayedCalls.join(",")
  const strace = await attachStrace(lab.processes, child, [
    "-xx",
    "-s",
    "16000000",
    "-o",
    trace,
    "-e",
    `trace=${calls}`,
  ])
  letGo(child)
  const { status, errors } = await endOf(child, strace)
  if (status !== 0) throw new Error(`The workload failed with ${status}: ${errors}${await readFile(log, "utf8")}`)
  return readFile(trace, "utf8")
}

function remaining(files: CrashState["files"], forgotten?: (path: string) => boolean): CrashState["files"] {
  return forgotten ? new Map([...files].filter(([path]) => !forgotten(path))) : files
}

/** A state that was seen before is not opened again: what it shows is known. */
async function inspect(
  lab: Lab,
  subject: Subject,
  files: CrashState["files"],
  known: Map<string, Inspection>,
): Promise<Inspection> {
  const key = digest(files)
  const inspection =
    known.get(key) ??
    (await inNewDirectory(lab.fastDirectory, async (directory) => {
      await materialize(directory, files)
      return inspectStore(subject.url(directory), lab.scale.size)
    }))
  known.set(key, inspection)
  return inspection
}

async function judgeState(
  { attempts }: CrashState,
  { observation, problems }: Inspection,
  judge: ReturnType<typeof createJudge>,
): Promise<string[]> {
  return observation ? [...problems, ...(await judge(observation, attempts))] : [...problems]
}

function describe({ at, loss }: CrashState): string {
  return `after change ${at}, content ${loss.content}, entries ${loss.entries}`
}
