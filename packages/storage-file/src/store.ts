import type { FileSystem } from "./file-system.ts"
import type { JournalMemory } from "./journal-memory.ts"
import type { Journals } from "./journal.ts"
import type { Locks } from "./lock.ts"
import type { MessageNames } from "./message-names.ts"
import type { ProcessIdentity } from "@pawl/storage-kit"
import type { RecoveredFiles } from "./recovered-files.ts"
import type { Serial } from "./serial.ts"

/** Dependencies of the modules of one open storage. */
export interface Store {
  readonly fs: FileSystem
  /** Recovered files that `fs` shows for sessions that cannot be recovered on the disk, as when it is full. */
  readonly recovered: RecoveredFiles
  /** The directory, for use in messages. */
  readonly root: string
  readonly journals: Journals
  readonly journalMemory: JournalMemory
  readonly locks: Locks
  /** Maximum time that an operation waits for other processes that use a session, in milliseconds. */
  readonly lockTimeout: number
  readonly serial: Serial
  readonly messageNames: MessageNames
  readonly self: ProcessIdentity
  /** Monotonic milliseconds, the same for all processes until the machine restarts. */
  readonly clock: () => number
  /** If true, a commit resolves only once it is on the disk. */
  readonly isSync: boolean
  /** Size in bytes up to which a change log is not compacted. */
  readonly shortestLog: number
  /** Returns a path for a temporary file. */
  readonly temporaryPath: () => string
  /** Sessions with a journal from before the machine's last start that were not recovered yet. */
  readonly unrecovered: Set<string>
  /** The last known project directory of each session, below `session`. */
  readonly projects: Map<string, string>
}
