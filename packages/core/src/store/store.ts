import type { Deadlines } from "../base/deadlines.ts"
import type { IDSource } from "../base/ids.ts"
import type { EventBus } from "../contracts/events.ts"
import type { Storage } from "../contracts/storage.ts"
import type { Drafts } from "../record/drafts.ts"
import type { EditDeps } from "./edit.ts"
import type { Roots } from "./roots.ts"

/** The sessions of an engine: where they are stored, and what their writers share. */
export interface Store extends EditDeps {
  readonly storage: Storage
  readonly bus: EventBus
  readonly ids: IDSource
  /** Makes ids ahead of the clock for waiting prompts, so that no compaction puts the context's start behind them. */
  readonly waitingIDs: IDSource
  /** Returns epoch milliseconds. */
  readonly now: () => number
  readonly roots: Roots
  /** New sessions, which are stored with their first prompt. */
  readonly drafts: Drafts
  readonly deadlines: Deadlines
}
