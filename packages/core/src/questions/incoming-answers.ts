import type { SessionID } from "../base/ids.ts"
import type { AnswerPart, Part } from "../record/message.ts"
import type { Storage } from "../contracts/storage.ts"

/**
 * Reports the answers that other processes have written or write to a session, in their order, each at least once. Ends
 * with the signal; rejects if the storage fails.
 */
export async function followAnswers(
  storage: Pick<Storage, "watch" | "readContext" | "readChanges">,
  sessionID: SessionID,
  signal: AbortSignal,
  onAnswer: (answer: AnswerPart) => void,
): Promise<void> {
  // Watching begins before the first read, so that no commit between the two is missed.
  const changes = storage.watch({ sessionID }, signal)
  const { revision, messages } = await storage.readContext(sessionID)
  report(messages.flatMap(({ parts }) => parts))
  let seen = revision
  for await (const change of changes) {
    if (change.revision <= seen) continue
    const found = await storage.readChanges(sessionID, seen)
    seen = found.reduce((latest, each) => Math.max(latest, each.revision), seen)
    report(found.flatMap((each) => (each.type === "part.put" ? [each.part] : [])))
  }

  function report(parts: readonly Part[]): void {
    if (!signal.aborted) for (const part of parts) if (part.type === "answer") onAnswer(part)
  }
}
