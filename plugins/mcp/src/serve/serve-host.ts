import type { Engine, ModelRef } from "@pawl/core"
import type { AskChoice, AskPermission } from "@pawl/core/host"

/** Asks the user of a client; both are missing if the client cannot ask. */
export interface Prompters {
  readonly ask?: AskPermission
  readonly askChoice?: AskChoice
}

/** The engine and defaults that sessions are served from. */
export interface Served {
  readonly engine: Engine
  /** Absolute. Sessions of other directories are not served. */
  readonly directory: string
  readonly model: ModelRef
  /** For prompts without an agent. Default: the session's agent. */
  readonly agent?: string | undefined
}

export interface ServeHost {
  readonly version: string
  /**
   * Called on the first use, when it is known if the client can ask. Over stdio it is called once; over HTTP once for
   * all clients that can ask and once for the others. May be called again after a rejection.
   */
  open(people: Prompters): Promise<Served>
}
