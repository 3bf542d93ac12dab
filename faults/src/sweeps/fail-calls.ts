import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { startWork, startChild } from "../processes/child.ts"
import { attachStrace, endOf } from "../processes/strace.ts"
import { type Attempt, readAttempts } from "../record/attempt.ts"
import { createJudge } from "../record/judge.ts"
import { inNewDirectory } from "./in-place.ts"
import { inParallel } from "./in-parallel.ts"
import { inspectStore } from "./inspect-store.ts"
import { stepFrom } from "./step-from.ts"
import { sumOf } from "./sum-of.ts"
import type { Sabotage } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import type { WorkloadOptions } from "../workload/options.ts"
import type { Lab, Skipped, Sweep, SweepResult } from "./sweep.ts"

/** A single failing system call, or all calls from that one on. */
interface Fault {
  readonly call: string
  readonly code: "EIO" | "ENOSPC"
  readonly isLasting: boolean
}

/** Calls that can fail if the disk is full or broken. */
const FAILING = new Set(["write", "pwrite64", "fsync", "fdatasync", "rename", "openat", "ftruncate", "link", "mkdir"])

/** Lets the n-th call of a kind fail, for each n until the workload makes fewer calls. Errors must be typed. */
export function failCalls(subject: Subject): Sweep {
  return {
    name: "a system call fails",
    subject,
    run: (lab) => sweep(lab, subject),
    controls: [
      {
        guard: "a failed commit rejects",
        complaint: /Session .* possible/,
        run: (lab) => sweep(lab, subject, "swallow"),
      },
    ],
  }
}

async function sweep(lab: Lab, subject: Subject, sabotage?: Sabotage): Promise<SweepResult | Skipped> {
  if (lab.straceMissing) return { skipped: lab.straceMissing }
  const faults = subject.calls.filter((call) => FAILING.has(call)).flatMap(faultsOf)
  const found = new AbortController()
  const results = await inParallel(faults, lab.scale.concurrency, async (fault) => {
    const result = { call: fault.call, ...(await sweepFault(lab, subject, fault, sabotage, found.signal)) }
    if (sabotage && result.bad.length > 0) found.abort()
    return result
  })
  return sumOf(results)
}

/**
 * A process that cannot `write` at all is ended by Node, which wakes its threads with it. So these calls fail one at a
 * time.
 */
function faultsOf(call: string): Fault[] {
  const lasting = call === "write" ? [false] : [true, false]
  return (["EIO", "ENOSPC"] as const).flatMap((code) => lasting.map((isLasting) => ({ call, code, isLasting })))
}

async function sweepFault(
  lab: Lab,
  subject: Subject,
  fault: Fault,
  sabotage: Sabotage | undefined,
  enough: AbortSignal,
): Promise<SweepResult> {
  const bad: string[] = []
  let points = 0
  for (let number = 1; !enough.aborted; number += stepFrom(number, lab.scale.failureStep)) {
    const { wasHit, problems } = await failAt(lab, subject, fault, number, sabotage)
    const { call, code, isLasting } = fault
    const place = `${code} of ${call} ${number}${isLasting ? " and later ones" : ""}`
    if (problems.length > 0) bad.push(`${place}: ${problems.join(" ")}`)
    if (!wasHit) break
    points++
    lab.onPoint()
  }
  return { points, bad }
}

function failAt(lab: Lab, subject: Subject, fault: Fault, number: number, sabotage?: Sabotage) {
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const { call, code, isLasting } = fault
    const [log, trace] = [join(directory, "attempts.jsonl"), join(directory, "trace")]
    const url = subject.url(directory)
    const options: WorkloadOptions = { url, directory: "/srv/project", log, size: "small", retries: isLasting ? 1 : 2 }
    const child = await startChild(lab, "workload", sabotage ? { ...options, sabotage } : options)
    const inject = `inject=${call}:error=${code}:when=${number}${isLasting ? "+" : ""}`
    // Node's other threads write only to wake the main thread.
    const threads = call === "write" ? "main" : "all"
    const strace = await attachStrace(lab.processes, child, ["-o", trace, "-e", `trace=${call}`, "-e", inject], threads)
    startWork(child)
    const { status, signal, errors } = await endOf(child, strace)
    // Node aborts if the main thread cannot wake another thread. This counts as a kill.
    const isAborted = call === "write" && signal === "SIGABRT"
    const wasHit = (await readFile(trace, "utf8")).includes("(INJECTED)")

    const { attempts, problems } = readAttempts(await readFile(log, "utf8"))
    const mayGiveUp = wasHit && isLasting
    if (status !== 0 && !isAborted && !(mayGiveUp && (status === 4 || status === 5))) {
      problems.push(`The process ended with ${status ?? signal}. ${failures(attempts)} ${errors}`)
    }
    const { observation, problems: found } = await inspectStore(url, "small")
    const judged = observation ? await createJudge()(observation, attempts) : []
    return { wasHit, problems: [...problems, ...found, ...judged] }
  })
}

function failures(attempts: readonly Attempt[]): string {
  return attempts
    .flatMap(({ outcome }) => (outcome.type === "failed" ? [`${outcome.name}: ${outcome.message}`] : []))
    .join(" ")
}
