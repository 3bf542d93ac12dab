import type { Agent } from "../../agent.ts"
import type { JSONObject, JSONValue } from "../../json.ts"
import type { Instruction } from "../instructions/instruction-file.ts"
import { renderNested } from "../instructions/nested.ts"
import { emptyLedger, foldLedger, type Ledger } from "../ledger/ledger.ts"
import { renderLedger } from "../ledger/render-ledger.ts"
import { writtenTodos } from "../../session/todos.ts"
import type { AssistantMessage, MessageWithParts, ModelRef, Session } from "../../session/message.ts"
import { isRequest } from "./arrange.ts"
import { carriedRequests, withoutMiddle } from "./earlier-requests.ts"
import { describeFile } from "./flatten.ts"
import { compactionsOf, isRecord, isStatePart } from "./record.ts"

/** What a compaction must not lose, in the form in which the next one takes it over. JSON values. */
export interface State {
  readonly ledger: Ledger
  /** As the todo tool was last given them. */
  readonly todos: readonly JSONObject[]
  /** What the user asked for and has no final answer yet, word for word, by their messages. */
  readonly requests: readonly OpenRequest[]
  /** What the user has asked for so far, a line each, answered or not. */
  readonly asked: readonly string[]
  /** Id of the newest message that the ledger and the todos know of. */
  readonly through: string
}

export type OpenRequest = JSONObject & { readonly id: string; readonly text: string }

/** A text for the model, and the value that it was rendered from. */
export interface StateText {
  readonly kind: "requests" | "asked" | "pins" | "todos" | "instructions" | "ledger" | "agent"
  readonly text: string
  readonly value?: JSONValue
  /** Instruction files that it brings. */
  readonly loaded?: readonly string[]
}

/**
 * The state as of the end of `stored`. `stays`: ids of messages that stay word for word, whose requests need no second
 * place.
 */
export function stateOf(
  stored: readonly MessageWithParts[],
  talk: readonly MessageWithParts[],
  stays: ReadonlySet<string>,
): State {
  const before = carriedOver(stored)
  const since = talk.filter((message) => message.info.id > before.through && !isRecord(message))
  return {
    through: since.reduce((newest, { info }) => (info.id > newest ? info.id : newest), before.through),
    ledger: foldLedger(before.ledger, since),
    todos: newestTodos(since) ?? before.todos,
    asked: carriedRequests(
      before.asked,
      since.flatMap((message) => requestTexts(message)),
    ),
    requests: openRequests(before.requests, talk, stays),
  }
}

/** Characters for each usable token. */
const SHARE_OF_ASKED = 0.15

export interface Surroundings {
  /** Tokens that a request may have. */
  readonly usable: number
  /** Characters that the open requests may take; absent: as many as they have. */
  readonly longestRequest?: number | undefined
  readonly agent: Agent
  readonly model: ModelRef
  readonly session: Session
  /** Instruction files that were met on the way, as they are on disk now. */
  readonly instructions: readonly Instruction[]
}

/** The state in words, in the order in which the model reads it. */
export function renderState({ ledger, todos, requests, asked, through }: State, around: Surroundings): StateText[] {
  const { agent, model, session, instructions } = around
  const texts: StateText[] = [
    {
      kind: "agent",
      text: `The conversation before this point was replaced by the summary above. You are still the agent "${agent.name}" on ${model.providerID}/${model.modelID}, in ${session.directory}.`,
      value: through,
    },
  ]
  if (asked.length > 0) {
    const shown = withoutMiddle(asked, around.usable * SHARE_OF_ASKED)
    const text = list(
      "What the user said so far, oldest first, shortened; what they asked to be done may be done",
      shown,
    )
    texts.push({ kind: "asked", text, value: asked })
  }
  const pins = session.pins ?? []
  if (pins.length > 0)
    texts.push({
      kind: "pins",
      text: list(
        "Pinned notes of the user",
        pins.map(({ text }) => text),
      ),
    })
  if (todos.length > 0) {
    texts.push({
      kind: "todos",
      text: list(
        "Todo list",
        todos.map((todo) => todoLine(todo)),
      ),
      value: todos,
    })
  }
  if (instructions.length > 0) {
    const loaded = instructions.map(({ path }) => path)
    texts.push({ kind: "instructions", text: renderNested(instructions), loaded })
  }
  const facts = renderLedger(ledger, { directory: session.directory })
  if (facts) texts.push({ kind: "ledger", text: `Facts kept by the machine:\n${facts}`, value: ledger as never })
  if (requests.length > 0) {
    texts.push({ kind: "requests", text: requestText(requests, around.longestRequest), value: requests })
  }
  return texts
}

function carriedOver(stored: readonly MessageWithParts[]): State {
  const marker = compactionsOf(stored).findLast(({ isApplied }) => isApplied)?.marker
  const values = new Map<unknown, JSONValue>()
  for (const part of marker?.parts ?? []) {
    if (isStatePart(part) && part.type === "text")
      values.set(part.metadata?.["kind"], part.metadata?.["value"] as never)
  }
  return {
    through: (values.get("agent") as string | undefined) ?? "",
    ledger: (values.get("ledger") as Ledger | undefined) ?? emptyLedger,
    todos: (values.get("todos") as readonly JSONObject[] | undefined) ?? [],
    asked: (values.get("asked") as readonly string[] | undefined) ?? [],
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

/** Those after the last final answer, without those that stay in their own messages. */
function openRequests(
  before: readonly OpenRequest[],
  talk: readonly MessageWithParts[],
  stays: ReadonlySet<string>,
): readonly OpenRequest[] {
  const answered = talk.findLastIndex((message) => isFinalAnswer(message))
  const known = new Set(before.map(({ id }) => id))
  const since = talk.slice(answered + 1).flatMap((message): OpenRequest[] => {
    const { id } = message.info
    const texts = known.has(id) ? [] : requestTexts(message)
    return texts.length > 0 ? [{ id, text: texts.join("\n\n") }] : []
  })
  return [...(answered >= 0 ? [] : before), ...since].filter(({ id }) => !stays.has(id))
}

/** What is too long keeps its two ends. */
function requestText(requests: readonly OpenRequest[], longest = Infinity): string {
  const text = requests.map((request) => request.text).join("\n\n")
  if (text.length <= longest) return `The user's request that you are working on, word for word:\n${text}`
  const half = Math.floor(longest / 2)
  const ends = `${text.slice(0, half).toWellFormed()}\n[… ${text.length - 2 * half} characters are left out: read them with the tool recall …]\n${text.slice(-half).toWellFormed()}`
  return `The user's request that you are working on, shortened because it does not fit:\n${ends}`
}

/** Whether the turn that it belongs to has come to its end with it. */
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

function list(title: string, lines: readonly string[]): string {
  return `${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`
}

function todoLine({ status, content }: JSONObject): string {
  return `[${typeof status === "string" ? status : "pending"}] ${typeof content === "string" ? content : ""}`
}
