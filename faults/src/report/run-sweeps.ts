import type { Lab, Skipped, Sweep, SweepResult } from "../sweeps/sweep.ts"

export interface Row {
  readonly isGood: boolean
  readonly cells: readonly string[]
}

export interface RunOptions {
  readonly withControls: boolean
  /** Prints a line of the report. */
  readonly print: (line: string) => void
  /** Milliseconds between two progress lines of a sweep. */
  readonly progressEvery: number
}

/** Maximum number of failures of a sweep that are printed. */
const MAX_SHOWN_FAILURES = 5

/** Runs the sweeps one after another, each followed by its negative controls. Prints results as they arrive. */
export async function runSweeps(
  lab: Omit<Lab, "onPoint">,
  sweeps: readonly Sweep[],
  options: RunOptions,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const sweep of sweeps) {
    const subject = sweep.subject.name
    rows.push(await runOne({ name: sweep.name, subject, run: (lab) => sweep.run(lab) }, lab, options))
    for (const control of options.withControls ? sweep.controls : []) {
      const { guard, complaint } = control
      const one = { name: `  without: ${guard}`, subject, run: (lab: Lab) => control.run(lab), complaint }
      rows.push(await runOne(one, lab, options))
    }
  }
  return rows
}

interface One {
  readonly name: string
  readonly subject: string
  readonly run: (lab: Lab) => Promise<SweepResult | Skipped>
  /** Failure that a negative control must find. If it is missing, no failure is allowed. */
  readonly complaint?: RegExp
}

async function runOne(
  { name, subject, run, complaint }: One,
  lab: Omit<Lab, "onPoint">,
  { print, progressEvery }: RunOptions,
): Promise<Row> {
  const start = performance.now()
  const elapsed = () => ((performance.now() - start) / 1000).toFixed(1)
  let hit = 0
  const progress = setInterval(() => print(`${name}, ${subject}: ${hit} points after ${elapsed()} s`), progressEvery)
  const result = await run({ ...lab, onPoint: () => void hit++ })
    .catch((error: unknown): SweepResult => ({ points: 0, bad: [`Broke off: ${stackOf(error)}`] }))
    .finally(() => clearInterval(progress))
  const seconds = elapsed()
  if ("skipped" in result) {
    print(`${name}, ${subject}: skipped, ${result.skipped}.`)
    return { isGood: true, cells: [name, subject, "-", "-", seconds, `skipped: ${result.skipped}`] }
  }
  const { points, bad, note = "" } = result
  const isGood = complaint ? bad.some((line) => complaint.test(line)) : bad.length === 0 && points > 0
  const verdict = isGood ? (complaint ? "noticed" : "") : complaint ? "NOT NOTICED" : "BAD"
  print(`${name}, ${subject}: ${points} points, ${bad.length} bad, ${seconds} s ${verdict}`.trimEnd())
  if (!complaint || !isGood) for (const line of bad.slice(0, MAX_SHOWN_FAILURES)) print(`    ${line.slice(0, 2000)}`)
  const last = [verdict, note].filter(Boolean).join("; ")
  return { isGood, cells: [name, subject, String(points), String(bad.length), seconds, last] }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
