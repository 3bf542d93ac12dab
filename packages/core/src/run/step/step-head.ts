import { type HeadDecision, headToStore } from "../../request/context-head.ts"
import type { Write } from "../../contracts/storage.ts"
import type { IDSource } from "../../base/ids.ts"
import type { CacheMonitor } from "../../cache/cache-monitor.ts"
import type { History } from "../../store/history.ts"
import type { Journal } from "../../store/journal.ts"
import type { MessageWithParts, UserMessage } from "../../record/message.ts"
import { reminderMessage } from "./step-messages.ts"

interface HeadRun {
  readonly contexts: { readonly headChanged: () => void }
  readonly journal: Journal
  readonly policies: { readonly note: CacheMonitor["note"] }
}

/**
 * Applies the decision before the request of the step is made. Returns true after a reminder was committed, so the
 * caller must read the history again. The reminder is added to the newest user message or, within a turn, in a message
 * of its own.
 */
export async function followHead(
  deps: { readonly ids: IDSource; readonly now: () => number },
  { contexts, journal, policies }: HeadRun,
  decision: HeadDecision,
  { messages }: Pick<History, "messages">,
  user: MessageWithParts<UserMessage>,
): Promise<boolean> {
  if (decision.type === "build") {
    if (decision.changed) policies.note(decision.changed)
    if (headToStore(decision)) contexts.headChanged()
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
  contexts.headChanged()
  return true
}

function reminderWrites(
  { ids }: { readonly ids: IDSource },
  { info: { id: messageID, sessionID }, parts }: MessageWithParts<UserMessage>,
  { text, metadata }: { readonly text: string; readonly metadata: Readonly<Record<string, unknown>> },
): Write[] {
  const owner = { id: ids.part(parts.at(-1)?.id), sessionID, messageID }
  const reminder = `<system-reminder>\n${text}\n</system-reminder>`
  return [{ type: "part.put", part: { ...owner, type: "text", text: reminder, synthetic: true, metadata } }]
}
