import type { ProviderErrorKind } from "@pawl/core/provider"
import type { Spoil } from "./faulty-front.ts"
import type { WireName } from "./wires.ts"

/** `answered`: at once, or tried again until it is. Else one of these errors. */
export type Expected = "answered" | readonly (ProviderErrorKind | "output-length")[]

/** What goes wrong with one answer. */
export interface Fault {
  readonly name: string
  /** Undefined: this format, or this answer, has no such thing. */
  readonly spoil: (wire: WireName) => Spoil | undefined
  readonly expected: (wire: WireName) => Expected
  /** It is over only when a deadline has passed. */
  readonly isSilent?: boolean
  /** Its requests are not as many as the attempts. */
  readonly isUncounted?: boolean
  /** Nothing listens. */
  readonly isDeaf?: boolean
}
