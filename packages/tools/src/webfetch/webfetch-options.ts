import type { AllowPrivate } from "@pawl/address-guard"
import type { Network } from "./network/network.ts"

export interface WebfetchToolOptions {
  /** Such as `pawl/1.2.3`. */
  readonly userAgent?: string
  /** Opens the way to chosen hosts inside of a network. Absent: only public addresses are reached. */
  readonly allowPrivate?: AllowPrivate
  /** Absent: the machine's own. */
  readonly network?: Network
}
