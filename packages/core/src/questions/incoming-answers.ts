import type { SessionID } from "../base/ids.ts"
import type { AnswerPart, Part } from "../record/message.ts"
import type { Storage } from "../contracts/storage.ts"

/**
 * Tells of the answers that other processes have written to a session or write to it, in the order in which they stand
 * there; each at least once. Ends with the signal; rejects when the storage does.
 */
export async function followAnswers(
  storage: Pick<Storage, "watch" | "readContext" | "readChanges">,
  sessionID: SessionID,
  signal: AbortSignal,
  onAnswer: (answer: AnswerPart) => void,
): Promise<void> {
  // Begun before the first look, so that nothing is committed between the two.
  const changes = storage.watch({ sessionID }, signal)
  const { revision, messages } = await storage.readContext(sessionID)
  tell(messages.flatMap(({ parts }) => parts))
  let seen = revision
  for await (const change of changes) {
    if (change.revision <= seen) continue
    const found = await storage.readChanges(sessionID, seen)
    seen = found.reduce((latest, each) => Math.max(latest, each.revision), seen)
    tell(found.flatMap((each) => (each.type === "part.put" ? [each.part] : [])))
  }

  function tell(parts: readonly Part[]): void {
    if (!signal.aborted) for (const part of parts) if (part.type === "answer") onAnswer(part)
  }
}
