import type { SessionID } from "../base/ids.ts"

/** The reason and the place of a difference between the prefixes of a request and the previous one. */
export interface CacheBust {
  readonly sessionID: SessionID
  /** Kind of the change. */
  readonly reason: "model" | "system" | "tools" | "messages" | "compaction" | "prune" | "expired"
  /** `system[1]`, `tools`, or the index of the first message that differs: `messages[12]`. */
  readonly firstChangedBlock: string
  /** Origin of the change: `plugin <id>`, or the mechanism's name. */
  readonly owner: string
}
