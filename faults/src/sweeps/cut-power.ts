import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { crashPoints } from "../crash-states/crash-points.ts"
import type { Files } from "../crash-states/disk.ts"
import { losses, mixedLoss } from "../crash-states/fates.ts"
import type { SystemCall } from "../crash-states/system-call.ts"
import { inNewDirectory } from "./in-place.ts"
import { createCrashJudge } from "./crash-judge.ts"
import { recordWorkload } from "./record-workload.ts"
import type { Subject } from "../subjects/subject.ts"
import type { Lab, Skipped, Sweep, SweepResult } from "./sweep.ts"

/** Records the workload once, then cuts the power after each of its calls, with every kind of loss. */
export function cutPower(subject: Subject): Sweep {
  const isSync = ({ name }: SystemCall) => name === "fsync" || name === "fdatasync"
  const { journal } = subject
  return {
    name: "power cut",
    subject,
    run: (lab) => sweep(lab, subject),
    controls: [
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

/** Deliberate errors of the storage. */
interface Broken {
  /** Calls that the storage skips. */
  readonly without?: (call: SystemCall) => boolean
  /** Files that are missing when the store is opened again. */
  readonly forgotten?: (path: string) => boolean
}

async function sweep(lab: Lab, subject: Subject, broken?: Broken): Promise<SweepResult | Skipped> {
  if (lab.straceMissing) return { skipped: lab.straceMissing }
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const disk = join(directory, "disk")
    const trace = await recordWorkload(lab, subject, disk)
    const crashes = createCrashJudge(lab, subject)
    const { scale, seed = 1 } = lab
    const bad: string[] = []
    let [points, number] = [0, 0]
    for (const point of crashPoints(trace, { directory: disk, step: scale.stateStep, without: broken?.without })) {
      if (number++ % scale.pointStep > 0) continue
      const mixed = Array.from({ length: scale.mixedStates }, (_, index) => mixedLoss(seed + number * 1000 + index))
      for (const loss of [...losses, ...mixed]) {
        points++
        lab.onPoint()
        const problems = await crashes.judge(remaining(point.state(loss), broken?.forgotten), point.attempts())
        if (problems.length > 0) bad.push(`after change ${point.at}, ${loss.name}: ${problems.join(" ")}`)
        // A negative control needs only one failure.
        if (broken && bad.length > 0) return { points, bad }
      }
      // The loop has no other pause, so let other work run.
      await sleep(0)
    }
    return { points, bad, note: `${crashes.different} different states, seed ${seed}` }
  })
}

function remaining(files: Files, forgotten?: (path: string) => boolean): Files {
  return forgotten ? new Map([...files].filter(([path]) => !forgotten(path))) : files
}
