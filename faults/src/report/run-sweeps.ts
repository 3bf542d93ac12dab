import type { Lab, Skipped, Sweep, SweepResult } from "../sweeps/sweep.ts"

export interface Row {
  readonly isGood: boolean
  readonly cells: readonly string[]
}

/** How many of a sweep's findings are printed in full. */
const SHOWN = 5

/** One sweep after another, each followed by its broken twin. Prints as it goes. */
export async function runSweeps(lab: Lab, sweeps: readonly Sweep[], withTwins: boolean): Promise<Row[]> {
  const rows: Row[] = []
  for (const sweep of sweeps) {
    const { name, subject, twin } = sweep
    rows.push(await runOne(name, subject.name, () => sweep.run(lab)))
    if (!twin || !withTwins) continue
    rows.push(await runOne(`  without: ${twin.guard}`, subject.name, () => twin.run(lab), twin.complaint))
  }
  return rows
}

async function runOne(
  name: string,
  subject: string,
  run: () => Promise<SweepResult | Skipped>,
  complaint?: RegExp,
): Promise<Row> {
  const start = performance.now()
  const result = await run().catch((error: unknown): SweepResult => ({
    points: 0,
    bad: [`Broke off: ${stackOf(error)}`],
  }))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if ("skipped" in result) {
    console.log(`${name}, ${subject}: skipped, ${result.skipped}.`)
    return { isGood: true, cells: [name, subject, "-", "-", seconds, `skipped: ${result.skipped}`] }
  }
  const { points, bad, note = "" } = result
  const isGood = complaint ? bad.some((line) => complaint.test(line)) : bad.length === 0 && points > 0
  const verdict = isGood ? (complaint ? "noticed" : "") : complaint ? "NOT NOTICED" : "BAD"
  console.log(`${name}, ${subject}: ${points} points, ${bad.length} bad, ${seconds} s ${verdict}`)
  if (!complaint || !isGood) for (const line of bad.slice(0, SHOWN)) console.log(`    ${line.slice(0, 2000)}`)
  const last = [verdict, note].filter(Boolean).join("; ")
  return { isGood, cells: [name, subject, String(points), String(bad.length), seconds, last] }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
