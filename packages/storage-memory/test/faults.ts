import type { Fault } from "./fault.ts"
import { atomicCommit } from "./faults/atomic-commit.ts"
import { blobs } from "./faults/blobs.ts"
import { boundary } from "./faults/boundary.ts"
import { changes } from "./faults/changes.ts"
import { closing } from "./faults/closing.ts"
import { isolation } from "./faults/isolation.ts"
import { iteration } from "./faults/iteration.ts"
import { leases } from "./faults/leases.ts"
import { listing } from "./faults/listing.ts"
import { messagePaging } from "./faults/message-paging.ts"
import { order } from "./faults/order.ts"
import { removal } from "./faults/removal.ts"
import { reopening } from "./faults/reopening.ts"
import { replacement } from "./faults/replacement.ts"
import { revisions } from "./faults/revisions.ts"
import { roundTrip } from "./faults/round-trip.ts"
import { sessionPatch } from "./faults/session-patch.ts"
import { twoHandles } from "./faults/two-handles.ts"
import { watch } from "./faults/watch.ts"
import { watchAcrossHandles } from "./faults/watch-across-handles.ts"

/** Broken storages, by the title of the section of the suite that must notice them. */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  "round trip": roundTrip,
  order,
  "replace by id": replacement,
  "session.patch": sessionPatch,
  "atomic commit": atomicCommit,
  revisions,
  "changes after a revision": changes,
  boundary,
  "paging through messages": messagePaging,
  "listing sessions": listing,
  removal,
  "isolation of two stores": isolation,
  "reads during iteration": iteration,
  leases,
  watch,
  blobs,
  closing,
  "reopen after close": reopening,
  "two writers on one location": twoHandles,
  "watch across handles": watchAcrossHandles,
}
