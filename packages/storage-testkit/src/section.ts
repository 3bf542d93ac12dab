import type { Storage } from "@pawl/core"

/** What a spec works with. Whatever it opens is closed when it ends. */
export interface Place {
  /** A new, empty storage, already open. */
  readonly storage: Storage
  /** The same location once more: another handle on the same record. */
  readonly reopen: () => Promise<Storage>
  /** A storage at a location of its own. */
  readonly openElsewhere: () => Promise<Storage>
}

/** One promise of the contract. Rejects when the storage breaks it. */
export interface Spec {
  /** A sentence about the storage. */
  readonly name: string
  run(place: Place): Promise<void>
}

export interface Section {
  readonly title: string
  /** Holds only for a storage that keeps its record at a location. */
  readonly persistent: boolean
  readonly specs: readonly Spec[]
}

export function section(
  title: string,
  specs: Readonly<Record<string, (place: Place) => Promise<void>>>,
  { persistent = false }: { persistent?: boolean } = {},
): Section {
  return { title, persistent, specs: Object.entries(specs).map(([name, run]) => ({ name, run })) }
}
