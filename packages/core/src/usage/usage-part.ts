import type { IDSource, MessageID, SessionID } from "../base/ids.ts"
import type { ModelRef, UsagePart } from "../record/message.ts"
import type { Spent } from "../record/spent.ts"

export interface UsageOf {
  readonly sessionID: SessionID
  /** The message that the part belongs to. */
  readonly messageID: MessageID
  readonly purpose: UsagePart["purpose"]
  readonly callID?: string
  readonly agent: string
  readonly model: ModelRef
}

/** Creates the record of requests outside of the conversation's steps. */
export function usagePart(
  { ids, now }: { readonly ids: IDSource; readonly now: () => number },
  { model: { providerID, modelID }, ...of }: UsageOf,
  spent: Spent,
): UsagePart {
  return { id: ids.part(), type: "usage", ...of, providerID, modelID, ...spent, time: { created: now() } }
}
