import { setTimeout as sleep } from "node:timers/promises"
import type { RunningProcess } from "../processes/processes.ts"
import type { Subject } from "../subjects/subject.ts"
import type { Sabotage } from "../subjects/sabotaged.ts"
import { inParallel } from "./in-parallel.ts"
import { killTurn } from "./killed-turn.ts"
import type { Lab, Sweep, SweepResult } from "./sweep.ts"

/** Sends SIGKILL at random moments within the duration of a turn. */
export function killAtRandom(subject: Subject): Sweep {
  return {
    name: "killed at a random moment",
    subject,
    run: (lab) => sweep(lab, subject, lab.scale.randomKills),
    controls: [
      {
        guard: "a commit is acknowledged when it is durable",
        complaint: /Session .* possible/,
        run: (lab) => sweep(lab, subject, 12, "early"),
      },
    ],
  }
}

/** Some turns end before their moment, so more moments than kills are needed. This limits their number. */
const MAX_MOMENTS_PER_KILL = 3

async function sweep(lab: Lab, subject: Subject, kills: number, sabotage?: Sabotage): Promise<SweepResult> {
  const warmUps = await inParallel([1, 2, 3], lab.scale.concurrency, () => killTurn(lab, subject, hitNothing))
  const durations = warmUps.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
  const duration = durations[1] ?? 0
  const bad: string[] = []
  let points = 0
  const moments = Array.from({ length: kills * MAX_MOMENTS_PER_KILL }, () => Math.random() * duration)
  await inParallel(moments, lab.scale.concurrency, async (moment) => {
    if (points >= kills) return
    const hit = (child: RunningProcess) => {
      void sleep(moment).then(() => child.kill("SIGKILL"))
      return Promise.resolve(undefined)
    }
    const { problems, wasKilled } = await killTurn(lab, subject, hit, sabotage)
    if (wasKilled) {
      points++
      lab.onPoint()
    }
    if (problems.length > 0) bad.push(`after ${moment.toFixed(1)} ms: ${problems.join(" ")}`)
  })
  if (points < kills) bad.push(`Only ${points} of ${moments.length} turns were hit, and ${kills} should have been.`)
  return { points, bad }
}

function hitNothing(): Promise<undefined> {
  return Promise.resolve(undefined)
}
