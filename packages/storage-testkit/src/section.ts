import type { MessageID, PartID, SessionID, MaintainedStorage } from "@pawl/core/storage"
import type { RecordDescription } from "./fixtures.ts"

/** The surroundings of a spec. Handles that it opens are closed when the spec ends. */
export interface SpecContext {
  /** A new, empty storage, already open. */
  readonly storage: MaintainedStorage
  /** The same location once more: another handle on the same record. */
  readonly reopen: () => Promise<MaintainedStorage>
  /** A storage at a location of its own. */
  readonly openElsewhere: () => Promise<MaintainedStorage>
  /** How many records were read since the storage was opened. */
  readonly countReads: (storage: MaintainedStorage) => number
  /** Puts this text in the place of a stored record's JSON, behind the storage's back. */
  readonly damage: (record: StoredRecord, text: string) => Promise<void>
  /** Copies what earlier versions wrote. */
  readonly placeFixtures: () => Promise<readonly StoredFixture[]>
}

/** Names a session, or one of its messages, or a part of that. */
export interface StoredRecord {
  readonly sessionID: SessionID
  readonly messageID?: MessageID
  readonly partID?: PartID
}

export interface StoredFixture {
  readonly name: string
  readonly description: RecordDescription
  /** The same copy each time. */
  readonly open: () => Promise<MaintainedStorage>
}

/** A promise of the contract. Rejects if the storage breaks it. */
export interface Spec {
  /** A sentence about the storage. */
  readonly name: string
  run(place: SpecContext): Promise<void>
}

/**
 * Abilities that some storages lack: a record that stays at a location, a count of its reads, records that a test can
 * damage, records of earlier versions.
 */
export type Need = "location" | "counted reads" | "damage" | "fixtures"

export interface Section {
  readonly title: string
  /** Without it the section is skipped. */
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
