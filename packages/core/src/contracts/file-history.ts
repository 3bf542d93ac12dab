import type { SessionID } from "../base/ids.ts"
import type { FileChange, FileDiff, FileImage, UncoveredFile, UndoneFile } from "../record/message.ts"
import type { BlobStore } from "./storage.ts"
import type { ToolLocation } from "./tool.ts"

/** A call that may change files without recording them itself. */
export interface WatchedCall extends ToolLocation {
  readonly sessionID: SessionID
  /** Key that is the same for each execution of this call. */
  readonly key: string
  /** Absolute paths of files that the call certainly may change. Their contents are kept before the call runs. */
  readonly targets: readonly string[]
  readonly blobs: BlobStore
  readonly signal: AbortSignal
}

/** Changes that a call made. */
export interface FoundChanges {
  /** Each path once. */
  readonly changes: readonly FileChange[]
  readonly uncovered: readonly UncoveredFile[]
}

/** A call whose files are watched. */
export interface CallWatch {
  /** The targets before the call, with `after` missing. To be stored before the call runs. */
  readonly begun: FoundChanges
  /**
   * Notes that the call has ended, at once. Resolves with everything that the call changed, targets included, without
   * what `recorded` was told about. Never rejects: files that could not be looked at are uncovered.
   */
  end(): Promise<FoundChanges>
}

/** A change that a tool has recorded itself, for the watchers of calls that run at the same time. */
export interface RecordedChange {
  readonly sessionID: SessionID
  readonly path: string
  readonly after: FileImage | null
}

/**
 * Finds out which files calls change, and restores files. The host supplies it. Without it, only changes that tools
 * record themselves can be shown, and nothing can be undone.
 */
export interface FileHistory {
  /** Lists the files of the worktree in the background, so that the next call need not wait. Never throws. */
  prepare(location: ToolLocation): void
  /** Begins to watch a call. Takes no longer than copying its targets. Rejects only if the signal aborts. */
  watch(call: WatchedCall): Promise<CallWatch>
  /** Learns a change that a tool has recorded itself. */
  recorded(change: RecordedChange): void
  /**
   * Finds the changes of a call whose process died while it was watched. What others have changed since cannot be told
   * apart, so `after` is missing.
   */
  recover(call: WatchedCall): Promise<FoundChanges>
  /**
   * Works out how the files were without the changes. `changes`: oldest first; a path may occur several times. Keeps
   * the present content of each file as a blob. Writes no file.
   */
  plan(changes: readonly FileChange[], blobs: BlobStore): Promise<readonly UndoneFile[]>
  /**
   * Puts `left` in place of `had` in each planned file that is still as planned; others become conflicts. May be
   * repeated after a crash. Returns the files as they turned out, in the same order. Never rejects for a single file.
   */
  apply(files: readonly UndoneFile[], blobs: BlobStore): Promise<readonly UndoneFile[]>
  /**
   * Returns the difference that the changes make together, by path. Patches have three lines of context; files that are
   * not text have none. `directory`: file names are relative to it.
   */
  diff(
    changes: readonly FileChange[],
    options: { readonly directory: string; readonly blobs: BlobStore },
  ): Promise<readonly FileDiff[]>
  /** Ends background work, and removes its temporary files. */
  close(): Promise<void>
}
