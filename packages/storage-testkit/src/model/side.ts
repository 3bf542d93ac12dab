import {
  type Lease,
  NotFoundError,
  type SessionID,
  StaleLeaseError,
  type MaintainedStorage,
  StorageError,
} from "@pawl/core/storage"

export interface HeldLease {
  readonly lease: Lease
  readonly handle: 0 | 1
  /** True if its handle was closed: it cannot be renewed or released any more, but commits still use its token. */
  orphaned: boolean
}

/** A storage to compare: two handles, and the leases acquired through them. */
export interface Side {
  readonly handles: [MaintainedStorage, MaintainedStorage]
  /** All leases so far, in order, also those of sessions that were removed. */
  readonly leases: HeldLease[]
  /** The last epoch of each session. */
  readonly epochs: Map<SessionID, number>
  /** Opens the location again. Returns `closed` itself if the storage is not persistent. */
  readonly reopen: (closed: MaintainedStorage) => Promise<MaintainedStorage>
}

/** The result of a step as JSON, which is compared between both sides. */
export type Outcome = unknown

export interface Step {
  /** Runs the step. Rejects only if the storage breaks a promise of the contract that needs no comparison. */
  readonly run: (side: Side) => Promise<Outcome>
  readonly toString: () => string
}

/** Returns the value, or the name of an error of the contract. */
export async function outcomeOf<T>(action: () => Promise<T>): Promise<T | { readonly rejected: string }> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof NotFoundError) return { rejected: "NotFoundError" }
    if (error instanceof StaleLeaseError) return { rejected: "StaleLeaseError" }
    if (error instanceof StorageError) return { rejected: "StorageError" }
    throw error
  }
}
