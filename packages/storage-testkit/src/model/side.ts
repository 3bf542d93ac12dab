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
  /** Its handle was closed since: it can no longer be renewed or released, but its token still goes with commits. */
  orphaned: boolean
}

/** A storage to compare: two handles, and the state of its owners. */
export interface Side {
  readonly handles: [MaintainedStorage, MaintainedStorage]
  /** Every lease that was given, in order, those on sessions that were removed since too. */
  readonly leases: HeldLease[]
  /** The last epoch given for each session. */
  readonly epochs: Map<SessionID, number>
  /** Opens the location again; the storage itself where it keeps nothing there. */
  readonly reopen: (closed: MaintainedStorage) => Promise<MaintainedStorage>
}

/** The result of a step as JSON, which is compared between both sides. */
export type Outcome = unknown

export interface Step {
  /** Runs the step. Rejects only if the storage breaks a promise that every storage gives. */
  readonly run: (side: Side) => Promise<Outcome>
  readonly toString: () => string
}

/** The value, or the name of the error where the contract knows it. */
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
