import type { Setting } from "../benchmarks/benchmark.ts"
import type { Row } from "../report/row.ts"
import type { Subject } from "./subject.ts"

/** Measures one storage. Returns no rows if the measurement does not apply. */
export type Measure = (
  subject: Subject,
  setting: Pick<Setting, "scratch" | "quick" | "smallest">,
) => Promise<readonly Row[]>

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
