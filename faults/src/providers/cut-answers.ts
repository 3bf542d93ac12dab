import type { Subject } from "../subjects/subject.ts"
import type { Lab, Sweep, SweepResult } from "../sweeps/sweep.ts"
import { type CaseLab, openCaseLab } from "./case-lab.ts"
import type { Fault } from "./fault.ts"
import type { Spoil } from "./faulty-front.ts"
import { chunk, head, LAST_CHUNK } from "./http-bytes.ts"
import { judgeCase } from "./judge-case.ts"
import { type Act, end, reset, send } from "./play.ts"
import { numbers } from "../random.ts"
import { runCase } from "./run-case.ts"
import { framesOf, type WholeAnswer } from "./whole-answer.ts"
import { type Wire, wires } from "./wires.ts"

const CUT_PROBABILITY = 0.6
/** Less than the number of attempts, so that a turn can succeed. */
const MAX_CONSECUTIVE_CUTS = 4
const MAX_TURN_MS = 20_000

/** Cuts answers at random bytes, several times per turn, in every wire format. */
export function cutAnswers(subject: Subject): Sweep {
  return {
    name: "provider answers cut at random",
    subject,
    controls: [],
    async run(lab): Promise<SweepResult> {
      const share = Math.ceil(lab.scale.randomCuts / wires.length)
      const seeds = await Promise.all(
        wires.map((wire, index) => cutMany(lab, wire, { cuts: share, seed: lab.seed ?? 1 + index * 1_000_000 })),
      )
      const points = seeds.reduce((sum, { cuts }) => sum + cuts, 0)
      const turns = seeds.reduce((sum, each) => sum + each.turns, 0)
      return { points, bad: seeds.flatMap(({ bad }) => bad), note: `${turns} turns` }
    },
  }
}

export interface Cuts {
  readonly cuts: number
  readonly turns: number
  readonly bad: readonly string[]
}

/** Runs turns with consecutive seeds until the given number of answers was cut. */
export async function cutMany(
  lab: Pick<Lab, "fastDirectory" | "onPoint">,
  wire: Wire,
  { cuts, seed }: { readonly cuts: number; readonly seed: number },
): Promise<Cuts> {
  await using cases = await openCaseLab({ wire, directory: lab.fastDirectory, isHasty: false })
  const bad: string[] = []
  let made = 0
  let turns = 0
  for (; made < cuts; turns++) {
    const one = await cutOne(cases, seed + turns, lab.onPoint)
    made += one.cuts
    bad.push(...one.problems.map((problem) => `${wire.name}, --seed ${seed + turns}: ${problem}`))
  }
  return { cuts: made, turns, bad }
}

async function cutOne(lab: CaseLab, seed: number, onPoint: () => void) {
  const random = numbers(seed)
  let cuts = 0
  let inARow = 0
  const spoil: Spoil = (answer) => {
    const isCut = inARow < MAX_CONSECUTIVE_CUTS && random() < CUT_PROBABILITY
    inARow = isCut ? inARow + 1 : 0
    if (!isCut) return [send(bytesOf(answer)), end]
    cuts++
    onPoint()
    return cutAt(answer, random)
  }
  const fault: Fault = { name: "cut", spoil: () => spoil, expected: () => "answered" }
  const outcome = await runCase(lab, { name: "cut", fault, at: 0, times: Infinity })
  const judged = { expected: "answered", within: MAX_TURN_MS, isUncounted: false, isHopeless: false } as const
  return { cuts, problems: outcome ? judgeCase(outcome, judged) : [] }
}

/** Sends each event as a chunk, as servers do. */
function bytesOf(answer: WholeAnswer): Buffer {
  const chunks = framesOf(answer).map((frame) => chunk(frame))
  return Buffer.concat([Buffer.from(head(answer, "chunked")), ...chunks, Buffer.from(LAST_CHUNK)])
}

function cutAt(answer: WholeAnswer, random: () => number): readonly Act[] {
  const kind = random()
  if (kind < 0.7) {
    const bytes = bytesOf(answer)
    const at = Math.floor(random() * bytes.length)
    return [send(bytes.subarray(0, at)), kind < 0.35 ? reset : end]
  }
  // A proxy that completes the body although its upstream was cut.
  const body = answer.body.subarray(0, Math.floor(random() * answer.body.length))
  if (kind < 0.85) return [send(head(answer, "chunked")), send(chunk(body)), send(LAST_CHUNK), end]
  return [send(head(answer, "open")), send(body), end]
}
