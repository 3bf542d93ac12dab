import type { Scratch } from "../measure/scratch.ts"
import type { ModelProcess } from "../model/model-process.ts"
import type { Row } from "../report/row.ts"

export interface Benchmark {
  readonly name: string
  readonly summary: string
  run(setting: Setting): Promise<readonly Row[]>
}

/** Shared by all benchmarks. */
export interface Setting {
  readonly model: ModelProcess
  readonly scratch: Scratch
  /** Fewer and smaller runs, for a quick check. Do not quote their figures. */
  readonly quick: boolean
  /** More and larger runs, if the benchmark has them. */
  readonly full: boolean
  /** The smallest runs, used together with `quick`: tests only check that each benchmark works. */
  readonly smallest: boolean
}
