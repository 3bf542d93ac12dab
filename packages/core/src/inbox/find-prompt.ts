import type { MessageID, SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { openHistory } from "../store/history.ts"
import type { Message, UserMessage } from "../record/message.ts"

export interface FindPromptDeps {
  readonly storage: Pick<Storage, "readMessages" | "readContext" | "readChanges">
}

/** Number of newest messages that are searched, besides waiting prompts. More than a long turn makes. */
const DEFAULT_SEARCH_COUNT = 1000

export interface FindPromptOptions {
  /** Message to skip. */
  readonly but?: MessageID
  /** Number of newest messages to search. Default: 1000 */
  readonly among?: number
}

/** Returns the user message with this `clientID`, among the newest messages and the waiting prompts. */
export async function findPrompt(
  deps: FindPromptDeps,
  sessionID: SessionID,
  clientID: string,
  { but, among = DEFAULT_SEARCH_COUNT }: FindPromptOptions = {},
): Promise<UserMessage | undefined> {
  const isIt = (info: Message): info is UserMessage => {
    return info.role === "user" && info.clientID === clientID && info.id !== but
  }
  const query = { assistantParts: false, ...(among === Infinity ? {} : { limit: among }) }
  for await (const { info } of deps.storage.readMessages(sessionID, query)) {
    if (isIt(info)) return info
  }
  const { waiting = [] } = await openHistory(deps, sessionID)
  return waiting.find(({ info }) => isIt(info))?.info
}
