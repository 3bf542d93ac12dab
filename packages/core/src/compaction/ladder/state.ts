import type { JSONObject } from "../../base/json.ts"
import { emptyLedger, foldLedger, type Ledger } from "../../facts/ledger.ts"
import type { OutputFacts } from "../../contracts/output-facts.ts"
import { writtenTodos } from "../../record/todos.ts"
import type { AssistantMessage, MessageWithParts } from "../../record/message.ts"
import { isRequest } from "../../record/request-order.ts"
import { carriedRequests } from "./earlier-requests.ts"
import { describeFile } from "./flatten.ts"
import { isRecord, keptState } from "../../record/compaction-record.ts"

/** Facts that a compaction must not lose, as JSON values that the next compaction reads. */
export interface State {
  readonly ledger: Ledger
  /** Todos of the newest call of the todo tool. */
  readonly todos: readonly JSONObject[]
  /** The user's requests without a final answer, unchanged, by message. */
  readonly requests: readonly OpenRequest[]
  /** All requests of the user so far, each as one line. */
  readonly asked: readonly string[]
  /** Number of requests of the user that are missing in `asked`. */
  readonly missingRequests: number
  /** Id of the newest message that the ledger and the todos include. */
  readonly through: string
}

export type OpenRequest = JSONObject & { readonly id: string; readonly text: string }

/**
 * Returns the state at the end of `stored`. `stays`: ids of messages that stay unchanged, so their requests are not
 * repeated.
 */
export function stateOf(
  reader: OutputFacts,
  stored: readonly MessageWithParts[],
  conversation: readonly MessageWithParts[],
  stays: ReadonlySet<string>,
): State {
  const before = carriedOver(stored)
  const since = conversation.filter((message) => message.info.id > before.through && !isRecord(message))
  const texts = since.flatMap((message) => requestTexts(message))
  const asked = carriedRequests(before.asked, texts)
  return {
    through: since.reduce((newest, { info }) => (info.id > newest ? info.id : newest), before.through),
    ledger: foldLedger(before.ledger, since, reader),
    todos: newestTodos(since) ?? before.todos,
    asked,
    missingRequests: before.missingRequests + before.asked.length + texts.length - asked.length,
    requests: openRequests(before.requests, conversation, stays),
  }
}

/** Returns the user's requests without a final answer, as `stateOf` does if no message stays. */
export function requestsOf(
  stored: readonly MessageWithParts[],
  conversation: readonly MessageWithParts[],
): readonly OpenRequest[] {
  return openRequests(carriedOver(stored).requests, conversation, new Set())
}

function carriedOver(stored: readonly MessageWithParts[]): State {
  const { values, missingRequests } = keptState(stored)
  return {
    through: (values.get("agent") as string | undefined) ?? "",
    ledger: (values.get("ledger") as Ledger | undefined) ?? emptyLedger,
    todos: (values.get("todos") as readonly JSONObject[] | undefined) ?? [],
    asked: (values.get("asked") as readonly string[] | undefined) ?? [],
    missingRequests,
    requests: (values.get("requests") as readonly OpenRequest[] | undefined) ?? [],
  }
}

function newestTodos(messages: readonly MessageWithParts[]): readonly JSONObject[] | undefined {
  for (const { parts } of messages.toReversed()) {
    for (const part of parts.toReversed()) {
      const todos = writtenTodos(part)
      if (todos) return todos
    }
  }
  return undefined
}

/** Returns the requests after the last final answer, without requests whose messages stay. */
function openRequests(
  before: readonly OpenRequest[],
  conversation: readonly MessageWithParts[],
  stays: ReadonlySet<string>,
): readonly OpenRequest[] {
  const answered = conversation.findLastIndex((message) => isFinalAnswer(message))
  const known = new Set(before.map(({ id }) => id))
  const since = conversation.slice(answered + 1).flatMap((message): OpenRequest[] => {
    const { id } = message.info
    const texts = known.has(id) ? [] : requestTexts(message)
    return texts.length > 0 ? [{ id, text: texts.join("\n\n") }] : []
  })
  return [...(answered >= 0 ? [] : before), ...since].filter(({ id }) => !stays.has(id))
}

/** Returns whether the message ends its turn. */
export function isFinalAnswer(message: MessageWithParts): message is MessageWithParts<AssistantMessage> {
  const { info } = message
  if (info.role !== "assistant" || isRecord(message)) return false
  return info.finish !== undefined && info.finish !== "tool-calls" && info.finish !== "unknown" && !info.error
}

function requestTexts(message: MessageWithParts): string[] {
  if (!isRequest(message)) return []
  return message.parts.flatMap((part) => {
    if (part.type === "text" && !part.ignored && !part.synthetic) return [part.text]
    return part.type === "file" ? [describeFile(part)] : []
  })
}
