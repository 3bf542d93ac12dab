import type { ProviderErrorKind } from "@pawl/core/provider"
import type { Spoil } from "./faulty-front.ts"
import type { WireName } from "./wires.ts"

/** `answered`: the turn succeeds, possibly after retries. Otherwise it must end with one of these errors. */
export type Expected = "answered" | readonly (ProviderErrorKind | "output-length")[]

/** A fault of one answer. */
export interface Fault {
  readonly name: string
  /** Undefined if the fault does not apply to this format or answer. */
  readonly spoil: (wire: WireName) => Spoil | undefined
  readonly expected: (wire: WireName) => Expected
  /** Ends only when a timeout has passed. */
  readonly isSilent?: boolean
  /** The number of requests differs from the number of attempts. */
  readonly isUncounted?: boolean
  /** The server does not listen. */
  readonly isDeaf?: boolean
}
