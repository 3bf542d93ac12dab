import type { AllowPrivate } from "@pawl/address-guard"
import type { Network } from "./network/network.ts"

export interface WebfetchToolOptions {
  /** Such as `pawl/1.2.3`. */
  readonly userAgent?: string
  /** Internal hosts that may be reached. Default: public addresses only. */
  readonly allowPrivate?: AllowPrivate
  /** Default: the machine's network. */
  readonly network?: Network
}
