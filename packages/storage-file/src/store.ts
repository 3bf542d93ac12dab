import type { FileSystem } from "./file-system.ts"
import type { JournalMemory } from "./journal-memory.ts"
import type { Journals } from "./journal.ts"
import type { Locks } from "./lock.ts"
import type { MessageNames } from "./message-names.ts"
import type { ProcessIdentity } from "@pawl/storage-kit"
import type { RecoveredFiles } from "./recovered-files.ts"
import type { Serial } from "./serial.ts"

/** What the parts of one open storage are handed. */
export interface Store {
  readonly fs: FileSystem
  /** What `fs` shows of sessions that cannot be recovered, as on a full disk. */
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
  /** Whether a commit is on the disk before it resolves. */
  readonly isSync: boolean
  /** Bytes up to which a log of changes is left as it is. */
  readonly shortestLog: number
  /** A path for a file that is moved to its place when it is whole. */
  readonly temporaryPath: () => string
  /** Sessions whose journals were written before the machine last started, and whose files nobody has made anew since. */
  readonly unrecovered: Set<string>
  /** Where sessions were last found: their directory below `session`. */
  readonly projects: Map<string, string>
}
