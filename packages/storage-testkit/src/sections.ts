import type { Section } from "./section.ts"
import { atomicCommit } from "./sections/atomic-commit.ts"
import { blobReferences } from "./sections/blob-references.ts"
import { blobs } from "./sections/blobs.ts"
import { boundary } from "./sections/boundary.ts"
import { changes } from "./sections/changes.ts"
import { closing } from "./sections/closing.ts"
import { collectingBlobs } from "./sections/collecting-blobs.ts"
import { countedReads } from "./sections/counted-reads.ts"
import { damagedRecords } from "./sections/damaged-records.ts"
import { earlierVersions } from "./sections/earlier-versions.ts"
import { isolation } from "./sections/isolation.ts"
import { iteration } from "./sections/iteration.ts"
import { largeBlobs } from "./sections/large-blobs.ts"
import { leases } from "./sections/leases.ts"
import { limitedImages } from "./sections/limited-images.ts"
import { listing } from "./sections/listing.ts"
import { manyReaders } from "./sections/many-readers.ts"
import { messagePaging } from "./sections/message-paging.ts"
import { oddValues } from "./sections/odd-values.ts"
import { order } from "./sections/order.ts"
import { rebuild } from "./sections/rebuild.ts"
import { removal } from "./sections/removal.ts"
import { reopening } from "./sections/reopening.ts"
import { replacement } from "./sections/replacement.ts"
import { revisions } from "./sections/revisions.ts"
import { roundTrip } from "./sections/round-trip.ts"
import { searchAcrossHandles } from "./sections/search-across-handles.ts"
import { searchScope } from "./sections/search-scope.ts"
import { searchWords } from "./sections/search-words.ts"
import { sessionPatch } from "./sections/session-patch.ts"
import { staleOwners } from "./sections/stale-owners.ts"
import { stats } from "./sections/stats.ts"
import { twoHandles } from "./sections/two-handles.ts"
import { verify } from "./sections/verify.ts"
import { watch } from "./sections/watch.ts"
import { watchAcrossHandles } from "./sections/watch-across-handles.ts"

/** All sections of the contract, simple ones first. */
export const storageSections: readonly Section[] = [
  roundTrip,
  oddValues,
  order,
  replacement,
  sessionPatch,
  atomicCommit,
  revisions,
  changes,
  boundary,
  countedReads,
  messagePaging,
  listing,
  removal,
  isolation,
  iteration,
  manyReaders,
  leases,
  staleOwners,
  watch,
  blobs,
  largeBlobs,
  blobReferences,
  collectingBlobs,
  limitedImages,
  searchWords,
  searchScope,
  stats,
  verify,
  rebuild,
  damagedRecords,
  closing,
  reopening,
  twoHandles,
  searchAcrossHandles,
  watchAcrossHandles,
  earlierVersions,
]
