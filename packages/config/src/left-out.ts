import type { Position } from "./finding.ts"

/** What a source says that does not count here, although that is no mistake in it. */
export interface LeftOut extends Partial<Position> {
  /** As in `provider.local.options.baseURL`. */
  readonly key: string
  /** The end of a sentence about the key; absent: pawl does not know it. */
  readonly reason?: string
}
