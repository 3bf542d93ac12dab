import type { Section } from "./section.ts"
import { atomicCommit } from "./sections/atomic-commit.ts"
import { blobs } from "./sections/blobs.ts"
import { boundary } from "./sections/boundary.ts"
import { changes } from "./sections/changes.ts"
import { closing } from "./sections/closing.ts"
import { isolation } from "./sections/isolation.ts"
import { iteration } from "./sections/iteration.ts"
import { leases } from "./sections/leases.ts"
import { listing } from "./sections/listing.ts"
import { messagePaging } from "./sections/message-paging.ts"
import { order } from "./sections/order.ts"
import { removal } from "./sections/removal.ts"
import { reopening } from "./sections/reopening.ts"
import { replacement } from "./sections/replacement.ts"
import { revisions } from "./sections/revisions.ts"
import { roundTrip } from "./sections/round-trip.ts"
import { sessionPatch } from "./sections/session-patch.ts"
import { twoHandles } from "./sections/two-handles.ts"
import { watch } from "./sections/watch.ts"
import { watchAcrossHandles } from "./sections/watch-across-handles.ts"

/** The contract as tests, from the simplest promise to the most demanding. */
export const storageSections: readonly Section[] = [
  roundTrip,
  order,
  replacement,
  sessionPatch,
  atomicCommit,
  revisions,
  changes,
  boundary,
  messagePaging,
  listing,
  removal,
  isolation,
  iteration,
  leases,
  watch,
  blobs,
  closing,
  reopening,
  twoHandles,
  watchAcrossHandles,
]
