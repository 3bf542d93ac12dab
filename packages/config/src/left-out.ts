import type { Position } from "./finding.ts"

/** An entry of a source that is ignored, although it is not an error. */
export interface LeftOut extends Partial<Position> {
  /** As in `provider.local.options.baseURL`. */
  readonly key: string
  /** The end of a sentence about the key. If undefined, the key is unknown. */
  readonly reason?: string
}
