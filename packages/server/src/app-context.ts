import type { ServerHost } from "./host.ts"
import type { ServerEvents } from "./events/server-events.ts"
import type { PendingSignIns } from "./sign-in/pending-sign-ins.ts"
import type { Terminals } from "./terminals/terminals.ts"

/** The parts of an app that its routes use. */
export interface AppContext {
  readonly host: ServerHost
  readonly events: ServerEvents
  readonly signIns: PendingSignIns
  /** Undefined if the host has none. */
  readonly terminals: Terminals | undefined
  /** Undefined for an app that stands alone. */
  readonly others: OtherDirectories | undefined
}

/** The open directories of a server. */
export interface OtherDirectories {
  /** Returns whether a terminal runs in a directory or below it. */
  hasTerminals(directory: string): boolean
  /** Closes a directory and those below it. */
  close(directory: string): Promise<void>
  /** Applies changes of configuration files in all directories. */
  reload(): Promise<void>
}
