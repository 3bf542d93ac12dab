import { attachStrace } from "../processes/strace.ts"
import type { Sabotage } from "../subjects/sabotaged.ts"
import type { Subject } from "../subjects/subject.ts"
import { inParallel } from "./in-parallel.ts"
import { stepFrom } from "./step-from.ts"
import { sumOf } from "./sum-of.ts"
import { killTurn } from "./killed-turn.ts"
import type { Lab, Skipped, Sweep, SweepResult } from "./sweep.ts"

const LOST = /Session .* possible/

/** Sends SIGKILL at a system call: for each kind at the first call and at every n-th, until the turn survives. */
export function killAtCalls(subject: Subject): Sweep {
  return {
    name: "killed at a system call",
    subject,
    run: (lab) => sweep(lab, subject),
    controls: [
      {
        guard: "a commit is acknowledged when it is durable",
        complaint: LOST,
        run: (lab) => sweep({ ...lab, scale: { ...lab.scale, callStep: 5, socketStep: 10 } }, subject, "early"),
      },
    ],
  }
}

async function sweep(lab: Lab, subject: Subject, sabotage?: Sabotage): Promise<SweepResult | Skipped> {
  if (lab.straceMissing) return { skipped: lab.straceMissing }
  const found = new AbortController()
  const results = await inParallel(subject.calls, lab.scale.concurrency, async (call) => {
    const result = { call, ...(await sweepCall(lab, subject, call, sabotage, found.signal)) }
    // A negative control needs only one failure.
    if (sabotage && result.bad.some((line) => LOST.test(line))) found.abort()
    return result
  })
  return sumOf(results)
}

async function sweepCall(
  lab: Lab,
  subject: Subject,
  call: string,
  sabotage: Sabotage | undefined,
  enough: AbortSignal,
): Promise<SweepResult> {
  const bad: string[] = []
  const isSocket = subject.kind === "server" || call === "write"
  const step = isSocket ? lab.scale.socketStep : lab.scale.callStep
  for (let number = 1, points = 0; ; number += stepFrom(number, step), points++) {
    const inject = ["-o", "/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${number}`]
    const { wasKilled, problems } = await killTurn(
      lab,
      subject,
      (child) => attachStrace(lab.processes, child, inject),
      sabotage,
    )
    if (wasKilled) lab.onPoint()
    if (problems.length > 0) bad.push(`${call} ${number}: ${problems.join(" ")}`)
    if (!wasKilled || enough.aborted || (sabotage && bad.some((line) => LOST.test(line)))) return { points, bad }
  }
}
