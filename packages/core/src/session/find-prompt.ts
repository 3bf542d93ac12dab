import type { MessageID, SessionID } from "../ids.ts"
import type { Storage } from "../storage/storage.ts"
import { openHistory } from "./history.ts"
import type { Message, UserMessage } from "./message.ts"

export interface FindPromptDeps {
  readonly storage: Pick<Storage, "readMessages" | "readContext" | "readChanges">
}

/** Messages that a name is looked for in, besides those of the context that wait. */
export const NAMES_KNOWN = 100

/** The user's message that its sender calls this, among the newest messages and those that wait; `but` is not it. */
export async function findPrompt(
  deps: FindPromptDeps,
  sessionID: SessionID,
  clientID: string,
  but?: MessageID,
): Promise<UserMessage | undefined> {
  const isIt = (info: Message): info is UserMessage => {
    return info.role === "user" && info.clientID === clientID && info.id !== but
  }
  for await (const { info } of deps.storage.readMessages(sessionID, { limit: NAMES_KNOWN })) {
    if (isIt(info)) return info
  }
  const { waiting = [] } = await openHistory(deps, sessionID)
  return waiting.find(({ info }) => isIt(info))?.info
}
