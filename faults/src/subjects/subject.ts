import type { SubjectName } from "./open-store.ts"

/** A storage under test: where it is put, and by which system calls it can be hit. */
export interface Subject {
  readonly name: SubjectName
  /** The system calls by which it changes what is stored, or asks its server to. */
  readonly calls: readonly string[]
  /** Whether its files are ours to cut off from the disk, to fill up and to rebuild. */
  readonly kind: "files" | "server"
  /** The files, below the URL's directory, from which a commit is brought back that the power cut came between. */
  readonly journal?: RegExp
  /** The URL of an empty store below the directory, or of one that only this directory's run writes to. */
  url(directory: string): string
}
