import type { MaintainedStorage } from "@pawl/core/storage"
import type { Scratch } from "../measure/scratch.ts"

/** A storage that is measured, and what its medium costs without it. */
export interface Subject {
  readonly name: string
  /** `durable`: commits wait for the disk, as users have it; else what is only filled is filled quickly. */
  open(scratch: Scratch, options: { readonly durable: boolean }): Promise<OpenSubject>
  /** Whether searches are measured: where a million parts are no matter of files. */
  readonly searches: boolean
}

export interface OpenSubject extends AsyncDisposable {
  readonly storage: MaintainedStorage
  /** Writes some JSON durably and does nothing else. Undefined where there is nothing to write to. */
  readonly raw?: { readonly what: string; write(json: string): Promise<void> }
  /** Bytes that went to the medium so far; undefined where nobody counts them. */
  writtenBytes(): Promise<number | undefined>
}
