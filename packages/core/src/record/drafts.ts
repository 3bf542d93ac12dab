import type { SessionID } from "../base/ids.ts"
import type { Session } from "./message.ts"

/**
 * Sessions that are not stored yet, by id. `admit` stores a draft in the commit of its first prompt and removes it here,
 * so a process that dies earlier leaves no session without a prompt. Hooks of that prompt can read and change the draft.
 */
export type Drafts = Map<SessionID, Session>

/** Drafts without a prompt. Callers that never send one must not fill the memory. */
const MAX_DRAFTS = 1_000

/** Drops the oldest draft if there are too many. */
export function keepDraft(drafts: Drafts, session: Session): void {
  drafts.set(session.id, session)
  const [oldest] = drafts.keys()
  if (drafts.size > MAX_DRAFTS && oldest) drafts.delete(oldest)
}
