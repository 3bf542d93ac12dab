import type { Fault } from "./fault.ts"
import { atomicCommit } from "./faults/atomic-commit.ts"
import { blobReferences } from "./faults/blob-references.ts"
import { blobs } from "./faults/blobs.ts"
import { boundary } from "./faults/boundary.ts"
import { changes } from "./faults/changes.ts"
import { closing } from "./faults/closing.ts"
import { collectingBlobs } from "./faults/collecting-blobs.ts"
import { countedReads } from "./faults/counted-reads.ts"
import { damagedRecords } from "./faults/damaged-records.ts"
import { earlierVersions } from "./faults/earlier-versions.ts"
import { isolation } from "./faults/isolation.ts"
import { iteration } from "./faults/iteration.ts"
import { largeBlobs } from "./faults/large-blobs.ts"
import { leases } from "./faults/leases.ts"
import { limitedImages } from "./faults/limited-images.ts"
import { listing } from "./faults/listing.ts"
import { manyReaders } from "./faults/many-readers.ts"
import { messagePaging } from "./faults/message-paging.ts"
import { oddValues } from "./faults/odd-values.ts"
import { order } from "./faults/order.ts"
import { rebuild } from "./faults/rebuild.ts"
import { removal } from "./faults/removal.ts"
import { reopening } from "./faults/reopening.ts"
import { replacement } from "./faults/replacement.ts"
import { revisions } from "./faults/revisions.ts"
import { roundTrip } from "./faults/round-trip.ts"
import { searchAcrossHandles } from "./faults/search-across-handles.ts"
import { searchScope } from "./faults/search-scope.ts"
import { searchWords } from "./faults/search-words.ts"
import { sessionPatch } from "./faults/session-patch.ts"
import { staleOwners } from "./faults/stale-owners.ts"
import { stats } from "./faults/stats.ts"
import { twoHandles } from "./faults/two-handles.ts"
import { verify } from "./faults/verify.ts"
import { watch } from "./faults/watch.ts"
import { watchAcrossHandles } from "./faults/watch-across-handles.ts"

/** Broken storages, by the title of the section of the suite that must notice them. */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  "round trip": roundTrip,
  "odd values": oddValues,
  order,
  "replace by id": replacement,
  "session.patch": sessionPatch,
  "atomic commit": atomicCommit,
  revisions,
  "changes after a revision": changes,
  boundary,
  "counted reads": countedReads,
  "paging through messages": messagePaging,
  "listing sessions": listing,
  removal,
  "isolation of two stores": isolation,
  "reads during iteration": iteration,
  "many readers": manyReaders,
  leases,
  "stale owners": staleOwners,
  watch,
  blobs,
  "large blobs": largeBlobs,
  "limited images": limitedImages,
  "blob references": blobReferences,
  "collecting blobs": collectingBlobs,
  "search by words": searchWords,
  "search among sessions": searchScope,
  stats,
  verify,
  rebuild,
  "damaged records": damagedRecords,
  closing,
  "reopen after close": reopening,
  "two writers on one location": twoHandles,
  "search across handles": searchAcrossHandles,
  "watch across handles": watchAcrossHandles,
  "earlier versions": earlierVersions,
}
