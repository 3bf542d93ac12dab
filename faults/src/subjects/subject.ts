import type { SubjectName } from "./open-store.ts"

/** A storage under test: its location and the system calls that can be interrupted. */
export interface Subject {
  readonly name: SubjectName
  /** System calls that change the store or send requests to its server. */
  readonly calls: readonly string[]
  /** `files`: its files can be cut off from the disk, filled up and rebuilt. */
  readonly kind: "files" | "server"
  /** Files below the URL's directory from which an interrupted commit is recovered. */
  readonly journal?: RegExp
  /** Returns the URL of an empty store that only this run uses. */
  url(directory: string): string
}
