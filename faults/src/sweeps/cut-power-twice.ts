import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { crashPoints } from "../crash-states/crash-points.ts"
import { withJournalsCutFirst } from "../crash-states/cut-first.ts"
import { directoryWith, type Files } from "../crash-states/disk.ts"
import { type Loss, losses, mixedLoss } from "../crash-states/fates.ts"
import { materialize } from "../crash-states/materialize.ts"
import type { SystemCall, TraceEvent } from "../crash-states/system-call.ts"
import { inAnotherBoot } from "../processes/another-boot.ts"
import { recordTrace } from "../processes/record-trace.ts"
import type { Attempt } from "../record/attempt.ts"
import type { Subject } from "../subjects/subject.ts"
import type { RecoveryOptions } from "../workload/options.ts"
import { createCrashJudge } from "./crash-judge.ts"
import { inNewDirectory } from "./in-place.ts"
import { recordWorkload } from "./record-workload.ts"
import type { Lab, Skipped, Sweep, SweepResult } from "./sweep.ts"

/**
 * Cuts the power during the workload, opens the store again, and cuts the power after each call of the recovery. The
 * store must recover nevertheless.
 */
export function cutPowerTwice(subject: Subject): Sweep {
  const complaint = /Session .* possible|Cannot be used/
  const { journal } = subject
  const isSync = ({ name }: SystemCall) => name === "fsync" || name === "fdatasync"
  return {
    name: "power cut, and again while it recovers",
    subject,
    run: (lab) => sweep(lab, subject),
    controls: [
      {
        guard: "recovery syncs what it writes",
        complaint,
        run: (lab) => sweep(lab, subject, { without: isSync }),
      },
      {
        guard: "a journal is cut after what it protects is synced",
        complaint,
        run: (lab) =>
          sweep(lab, subject, {
            reordered: (trace, directory) => (journal ? withJournalsCutFirst(trace, directory, journal) : trace),
          }),
      },
    ],
  }
}

/** Deliberate errors of the recovery. */
interface Broken {
  readonly without?: (call: SystemCall) => boolean
  readonly reordered?: (trace: readonly TraceEvent[], directory: string) => readonly TraceEvent[]
}

/** The state after the first power cut. */
interface FirstCut {
  readonly name: string
  readonly disk: string
  readonly files: Files
  readonly attempts: readonly Attempt[]
}

async function sweep(lab: Lab, subject: Subject, broken?: Broken): Promise<SweepResult | Skipped> {
  if (lab.straceMissing) return { skipped: lab.straceMissing }
  return inNewDirectory(lab.fastDirectory, async (directory) => {
    const wrapper = await inAnotherBoot(join(directory, "boot"), 1)
    if (wrapper.length === 0) return { skipped: "no other boot can be shown to a process: allow user namespaces" }
    const cuts = await cutFirst(lab, subject, directory)
    const options: RecoveryOptions = { urls: cuts.map(({ disk }) => subject.url(disk)), size: lab.scale.size }
    const trace = await recordTrace(lab, "recovery", options, { file: join(directory, "trace"), wrapper })
    const crashes = createCrashJudge(lab, subject)
    const bad: string[] = []
    let points = 0
    for (const [index, cut] of cuts.entries()) {
      const recovery = broken?.reordered?.(trace, cut.disk) ?? trace
      for (const { at, files } of secondCuts(lab, cut, recovery, { index, without: broken?.without })) {
        points++
        lab.onPoint()
        const problems = await crashes.judge(files, cut.attempts)
        if (problems.length > 0) bad.push(`${cut.name}; then ${at}: ${problems.join(" ")}`)
        if (broken && bad.length > 0) return { points, bad }
        if (points % 20 === 0) await sleep(0)
      }
    }
    const { seed = 1 } = lab
    return { points, bad, note: `after ${cuts.length} first cuts, ${crashes.different} different states, seed ${seed}` }
  })
}

/** Cuts the power at evenly distributed points of the workload and stores a disk for each. */
async function cutFirst(lab: Lab, subject: Subject, directory: string): Promise<FirstCut[]> {
  const disk = join(directory, "disk")
  const { scale, seed = 1 } = lab
  const trace = await recordWorkload(lab, subject, disk)
  const options = { directory: disk, step: scale.stateStep }
  const count = [...crashPoints(trace, options)].length
  const every = Math.max(1, count / scale.firstCuts)
  const cuts: FirstCut[] = []
  let number = 0
  for (const point of crashPoints(trace, options)) {
    if (++number < (cuts.length + 1) * every) continue
    const loss = lossOf(cuts.length, seed)
    const cut: FirstCut = {
      name: `after change ${point.at}, ${loss.name}`,
      disk: join(directory, `cut-${cuts.length}`),
      files: point.state(loss),
      attempts: point.attempts(),
    }
    await materialize(cut.disk, cut.files)
    cuts.push(cut)
  }
  return cuts
}

/** Alternates between the losses that need the most recovery. */
function lossOf(index: number, seed: number): Loss {
  const names = losses.filter(({ name }) => /entries kept/.test(name) && !/content kept/.test(name))
  return [mixedLoss(seed + index), ...names][index % (names.length + 1)] ?? mixedLoss(seed)
}

function* secondCuts(
  { scale, seed = 1 }: Lab,
  { disk, files }: FirstCut,
  recovery: readonly TraceEvent[],
  { index, without }: { readonly index: number; readonly without: Broken["without"] },
): Generator<{ at: string; files: Files }> {
  const options = { directory: disk, root: directoryWith(files), step: scale.stateStep, without }
  let number = index
  for (const point of crashPoints(recovery, options)) {
    if (number++ % scale.secondCutStep > 0) continue
    const mixed = Array.from({ length: scale.mixedStates }, (_, each) =>
      mixedLoss(seed + index * 1_000_000 + number * 1000 + each),
    )
    for (const loss of [...losses, ...mixed]) {
      yield { at: `after change ${point.at} of recovery, ${loss.name}`, files: point.state(loss) }
    }
  }
}
