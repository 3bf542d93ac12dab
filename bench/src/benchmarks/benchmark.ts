import type { Scratch } from "../measure/scratch.ts"
import type { ModelProcess } from "../model/model-process.ts"
import type { Row } from "../report/row.ts"

export interface Benchmark {
  readonly name: string
  readonly summary: string
  run(setting: Setting): Promise<readonly Row[]>
}

/** What all benchmarks share. */
export interface Setting {
  readonly model: ModelProcess
  readonly scratch: Scratch
  /** Fewer and smaller runs: to see that everything works, not to quote. */
  readonly quick: boolean
  /** More and larger runs, for those that have them. */
  readonly full: boolean
  /** The smallest runs, together with `quick`: the tests check with them that each benchmark still works. */
  readonly smallest: boolean
}
