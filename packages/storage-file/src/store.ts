import type { FileSystem } from "./file-system.ts"
import type { JournalMemory } from "./journal-memory.ts"
import type { Journals } from "./journal.ts"
import type { Locks } from "./lock.ts"
import type { MessageNames } from "./message-names.ts"
import type { ProcessIdentity } from "@pawl/storage-kit"
import type { RecoveredFiles } from "./recovered-files.ts"
import type { Serial } from "./serial.ts"

/** The dependencies of the parts of one open storage. */
export interface Store {
  readonly fs: FileSystem
  /** Contents that `fs` shows for sessions that cannot be recovered, as on a full disk. */
  readonly recovered: RecoveredFiles
  /** The directory, for messages. */
  readonly root: string
  readonly journals: Journals
  readonly journalMemory: JournalMemory
  readonly locks: Locks
  /** How long an operation waits for other processes' work on a session, in milliseconds. */
  readonly lockTimeout: number
  readonly serial: Serial
  readonly messageNames: MessageNames
  readonly self: ProcessIdentity
  /** Monotonic milliseconds that all processes of a boot share. */
  readonly clock: () => number
  /** If true, a commit resolves only once it is on the disk. */
  readonly isSync: boolean
  /** Bytes up to which a log of changes is left as it is. */
  readonly shortestLog: number
  /** A path for a file that is moved to its place when it is whole. */
  readonly temporaryPath: () => string
  /** Sessions with a journal from before the machine's last start, whose files were not restored yet. */
  readonly unrecovered: Set<string>
  /** The last known directory of each session, below `session`. */
  readonly projects: Map<string, string>
}
