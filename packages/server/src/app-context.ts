import type { ServerHost } from "./host.ts"
import type { ServerEvents } from "./events/server-events.ts"
import type { Terminals } from "./terminals/terminals.ts"

/** The parts of an app that its routes use. */
export interface AppContext {
  readonly host: ServerHost
  readonly events: ServerEvents
  /** Undefined if the host has none. */
  readonly terminals: Terminals | undefined
}
