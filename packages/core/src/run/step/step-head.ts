import { type ContextHeads, decideHead, type HeadDecision, headToStore } from "../../request/context-head.ts"
import type { Write } from "../../contracts/storage.ts"
import type { Arrange } from "../../record/request-order.ts"
import type { AdmitDeps } from "../../inbox/admit.ts"
import type { CacheLedger } from "../../cache/cache-monitor.ts"
import type { History } from "../../store/history.ts"
import type { Journal } from "../../store/journal.ts"
import type { MessageWithParts, UserMessage } from "../../record/message.ts"
import { reminderMessage } from "./step-messages.ts"
import { type RunScene } from "../../tool-call/run-handles.ts"
import { systemBlocks } from "../../request/system-prompt.ts"

export interface HeadDeps {
  readonly arrange: Arrange
}

/** Returns the system prompt for a step: the one that the context began with, as long as it can be kept. */
export function withHead(
  { arrange }: HeadDeps,
  heads: ContextHeads,
  { agent, model: { ref }, sources, outputLimits }: Pick<RunScene, "agent" | "model" | "sources" | "outputLimits">,
  messages: readonly MessageWithParts[],
): Pick<RunScene, "head" | "system"> {
  const model = `${ref.providerID}/${ref.modelID}`
  const known = heads.find(messages, arrange(messages))
  const head = decideHead(known, { agent, model, sources, maxReminderBytes: outputLimits.bytes })
  return { head, system: systemBlocks(head.head) }
}

interface HeadRun {
  readonly heads: ContextHeads
  readonly journal: Journal
  readonly cacheLedger: Pick<CacheLedger, "note">
}

/**
 * Applies the decision before the request of the step is made. Returns true after a reminder was committed, so the
 * caller must read the history again. The reminder is added to the newest user message or, within a turn, in a message
 * of its own.
 */
export async function followHead(
  deps: Pick<AdmitDeps, "ids" | "now">,
  { heads, journal, cacheLedger }: HeadRun,
  decision: HeadDecision,
  { messages }: Pick<History, "messages">,
  user: MessageWithParts<UserMessage>,
): Promise<boolean> {
  if (decision.type === "build") {
    if (decision.changed) cacheLedger.note(decision.changed)
    if (headToStore(decision)) heads.changed()
    return false
  }
  const newest = messages.at(-1)
  if (decision.type === "reuse" || !newest) return false
  const isUnanswered = newest.info.id === user.info.id
  const { text, read } = decision.reminder
  const metadata = { reminder: "sources", read }
  await journal.commit(
    isUnanswered
      ? reminderWrites(deps, user, { text, metadata })
      : reminderMessage(deps, user.info, newest.info.id, { text, metadata }),
  )
  heads.changed()
  return true
}

function reminderWrites(
  { ids }: Pick<AdmitDeps, "ids">,
  { info: { id: messageID, sessionID }, parts }: MessageWithParts<UserMessage>,
  { text, metadata }: { readonly text: string; readonly metadata: Readonly<Record<string, unknown>> },
): Write[] {
  const owner = { id: ids.part(parts.at(-1)?.id), sessionID, messageID }
  const reminder = `<system-reminder>\n${text}\n</system-reminder>`
  return [{ type: "part.put", part: { ...owner, type: "text", text: reminder, synthetic: true, metadata } }]
}
