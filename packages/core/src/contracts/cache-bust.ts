import type { SessionID } from "../base/ids.ts"

/** Why and where the prefix of a request is not that of the one before it. */
export interface CacheBust {
  readonly sessionID: SessionID
  /** What kind of change it was. */
  readonly reason: "model" | "system" | "tools" | "messages" | "compaction" | "prune" | "expired"
  /** `system[1]`, `tools`, or the index of the first message that differs: `messages[12]`. */
  readonly firstChangedBlock: string
  /** Who changed it: `plugin <id>`, or the mechanism's name. */
  readonly owner: string
}
