import type { MessageID, SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { openHistory } from "../store/history.ts"
import type { Message, UserMessage } from "../record/message.ts"

export interface FindPromptDeps {
  readonly storage: Pick<Storage, "readMessages" | "readContext" | "readChanges">
}

/** Messages that a name is looked for in, besides those of the context that wait: more than a long turn makes. */
const NAMES_KNOWN = 1000

export interface FindPromptOptions {
  /** This one is not it. */
  readonly but?: MessageID
  /** How many of the newest messages are looked at. */
  readonly among?: number
}

/** The user's message that its sender calls this, among the newest messages and those that wait. */
export async function findPrompt(
  deps: FindPromptDeps,
  sessionID: SessionID,
  clientID: string,
  { but, among = NAMES_KNOWN }: FindPromptOptions = {},
): Promise<UserMessage | undefined> {
  const isIt = (info: Message): info is UserMessage => {
    return info.role === "user" && info.clientID === clientID && info.id !== but
  }
  for await (const { info } of deps.storage.readMessages(sessionID, among === Infinity ? {} : { limit: among })) {
    if (isIt(info)) return info
  }
  const { waiting = [] } = await openHistory(deps, sessionID)
  return waiting.find(({ info }) => isIt(info))?.info
}
