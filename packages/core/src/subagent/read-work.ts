import type { MessageID, SessionID } from "../base/ids.ts"
import { answerText } from "../record/answer-text.ts"
import { addTokens, noTokens } from "../record/tokens.ts"
import type { Tokens } from "../record/message.ts"
import type { Storage } from "../contracts/storage.ts"

export interface DoneWork {
  /** Text of the newest answer with a text. Empty if no answer has a text. */
  readonly text: string
  /** US dollars, including the sessions below. */
  readonly cost: number
  readonly tokens: Tokens
}

type Reader = Pick<Storage, "readMessages" | "listSessions">

/** Reads the work of a session since the prompt with this `clientID`, and the work of sessions below it for that. */
export async function readWork(storage: Reader, sessionID: SessionID, key: string): Promise<DoneWork> {
  const { messages, text, cost, tokens } = await readOwn(storage, sessionID, key)
  let total = { cost, tokens }
  for await (const child of storage.listSessions({ parentID: sessionID })) {
    // Each call has its own `clientID`, and a session may have worked for several calls.
    for (const name of await namesFor(storage, child.id, sessionID, messages)) {
      const work = await readWork(storage, child.id, name)
      total = { cost: total.cost + work.cost, tokens: addTokens(total.tokens, work.tokens) }
    }
  }
  return { text, ...total }
}

/** Reads the work from the prompt with this `clientID` to the next prompt of another call. */
async function readOwn(storage: Reader, sessionID: SessionID, key: string) {
  const parent = key.slice(0, key.indexOf("/") + 1)
  const messages = new Set<MessageID>()
  let text = ""
  let cost = 0
  let tokens = noTokens
  for await (const message of storage.readMessages(sessionID)) {
    const { info } = message
    if (info.role === "user" && info.clientID?.startsWith(parent)) {
      if (info.clientID === key) break
      // Messages are read newest first, so all messages so far belong to a later call.
      messages.clear()
      ;[text, cost, tokens] = ["", 0, noTokens]
    }
    if (info.role !== "assistant") continue
    messages.add(info.id)
    cost += info.cost
    tokens = addTokens(tokens, info.tokens)
    if (text === "" && info.summary !== true) text = answerText(message)
  }
  return { messages, text, cost, tokens }
}

/** Returns the `clientID`s of prompts that calls of these messages sent to a child. */
async function namesFor(storage: Reader, child: SessionID, parent: SessionID, messages: ReadonlySet<MessageID>) {
  const names = new Set<string>()
  for await (const { info } of storage.readMessages(child)) {
    const [session, message] = info.role === "user" ? (info.clientID?.split("/") ?? []) : []
    if (session === parent && messages.has(message as MessageID)) names.add((info as { clientID: string }).clientID)
  }
  return names
}
