import { type Engine, type MessageWithParts, NotFoundError, type RunResult, type SessionID } from "@pawl/core"
import { newestMessage } from "../find-message.ts"

/**
 * Returns the message for the sender of a prompt: the answer, or the newest message if the run ended without an answer.
 */
export async function answerOf(
  engine: Pick<Engine, "readMessages">,
  sessionID: SessionID,
  result: RunResult,
): Promise<MessageWithParts> {
  if ("answer" in result && result.answer) return result.answer
  const newest =
    (await newestMessage(engine, sessionID, ({ info }) => info.role === "assistant")) ??
    (await newestMessage(engine, sessionID, () => true))
  if (!newest) throw new NotFoundError(`Session ${sessionID} has no message.`)
  return newest
}
