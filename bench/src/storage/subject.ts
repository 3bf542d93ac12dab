import type { MaintainedStorage } from "@pawl/core/storage"
import type { Scratch } from "../measure/scratch.ts"

/** A measured storage, and the cost of its medium alone. */
export interface Subject {
  readonly name: string
  /** If `durable` is set, commits wait for the disk, as by default; otherwise filling is faster. */
  open(scratch: Scratch, options: { readonly durable: boolean }): Promise<OpenSubject>
  /** Set if searches are measured. A million parts in files would be too many. */
  readonly searches: boolean
}

export interface OpenSubject extends AsyncDisposable {
  readonly storage: MaintainedStorage
  /** Only writes JSON durably. Undefined if there is no disk to write to. */
  readonly raw?: { readonly what: string; write(json: string): Promise<void> }
  /** Returns the bytes written to the medium so far; undefined if they are not counted. */
  writtenBytes(): Promise<number | undefined>
}
