import { type Lease, NotFoundError, type SessionID, StaleLeaseError, type Storage, StorageError } from "@pawl/core"

export interface HeldLease {
  readonly lease: Lease
  readonly handle: 0 | 1
  /** Its handle was closed since: it can no longer be renewed or released, but its token still goes with commits. */
  orphaned: boolean
}

/** One of the two storages that are compared: two handles on it, and what its owners hold. */
export interface Side {
  readonly handles: [Storage, Storage]
  /** Every lease that was given, in order, those on sessions that were removed since too. */
  readonly leases: HeldLease[]
  /** The last epoch given for each session. */
  readonly epochs: Map<SessionID, number>
  /** Opens the location again; the storage itself where it keeps nothing there. */
  readonly reopen: (closed: Storage) => Promise<Storage>
}

/** What a step came to, as JSON, so that both sides can be compared. */
export type Outcome = unknown

export interface Step {
  /** What is done to which side. Rejects only where something happens that no storage may do. */
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
