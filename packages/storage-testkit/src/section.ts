import type { MessageID, PartID, SessionID, MaintainedStorage } from "@pawl/core/storage"
import type { RecordDescription } from "./fixtures.ts"

/** The context of a spec. Handles that it opens are closed when the spec ends. */
export interface SpecContext {
  /** A new, empty, open storage. */
  readonly storage: MaintainedStorage
  /** Opens another handle on the same location. */
  readonly reopen: () => Promise<MaintainedStorage>
  /** Opens a storage at another location. */
  readonly openElsewhere: () => Promise<MaintainedStorage>
  /** Returns the number of records read since the storage was opened. */
  readonly countReads: (storage: MaintainedStorage) => number
  /** Replaces the JSON of a stored record by this text, without using the storage. */
  readonly damage: (record: StoredRecord, text: string) => Promise<void>
  /** Copies the fixtures of earlier versions. */
  readonly placeFixtures: () => Promise<readonly StoredFixture[]>
}

/** The key of a session, a message or a part. */
export interface StoredRecord {
  readonly sessionID: SessionID
  readonly messageID?: MessageID
  readonly partID?: PartID
}

export interface StoredFixture {
  readonly name: string
  readonly description: RecordDescription
  /** Opens the same copy each time. */
  readonly open: () => Promise<MaintainedStorage>
}

/** A promise of the contract. Rejects if the storage breaks it. */
export interface Spec {
  /** A sentence about the storage. */
  readonly name: string
  run(place: SpecContext): Promise<void>
}

/**
 * Abilities that some storages lack: permanent locations, a count of reads, records that a test can damage, and records
 * of earlier versions.
 */
export type Need = "location" | "counted reads" | "damage" | "fixtures"

export interface Section {
  readonly title: string
  /** The ability without which the section is skipped. */
  readonly needs: Need | undefined
  readonly specs: readonly Spec[]
}

export function section(
  title: string,
  specs: Readonly<Record<string, (place: SpecContext) => Promise<void>>>,
  { needs }: { needs?: Need } = {},
): Section {
  return { title, needs, specs: Object.entries(specs).map(([name, run]) => ({ name, run })) }
}
