import type { AskChoice, AskPermission, Engine, ModelRef } from "@pawl/core"

/** Whom questions may go to: the user of a client that can ask. */
export interface People {
  readonly ask?: AskPermission
  readonly askChoice?: AskChoice
}

/** What sessions are offered from. */
export interface Served {
  readonly engine: Engine
  /** Absolute: sessions of other directories are not offered. */
  readonly directory: string
  readonly model: ModelRef
  /** Of prompts that name none; absent: the session's. */
  readonly agent?: string | undefined
}

export interface ServeHost {
  readonly version: string
  /**
   * Called with the first call that needs it, when it is known whether the client can ask: once for one client, over HTTP once for
   * all that can ask and once for all that cannot. After a rejection it may be called again.
   */
  open(people: People): Promise<Served>
}
