import type { MessageID } from "../base/ids.ts"
import type { AssistantMessage, CompactionPart, MessageWithParts, Part, UserMessage } from "./message.ts"
import type { JSONValue } from "../base/json.ts"

/** A compaction as it is stored: the message that asks for it, and the message with its summary once that exists. */
export interface CompactionRecord {
  readonly marker: MessageWithParts<UserMessage>
  readonly part: CompactionPart
  readonly summary: MessageWithParts<AssistantMessage> | undefined
  /** True if its summary replaces the messages before its tail. */
  readonly isApplied: boolean
}

/** Returns all compactions in the messages, oldest first. */
export function compactionsOf(messages: readonly MessageWithParts[]): CompactionRecord[] {
  const found: CompactionRecord[] = []
  for (const message of messages) {
    const part = markerPart(message)
    if (!part || message.info.role !== "user") continue
    const summary = summaryOf(messages, message.info.id)
    const isApplied = summary !== undefined && isComplete(summary.info) && part.prepared !== true
    found.push({ marker: message as MessageWithParts<UserMessage>, part, summary, isApplied })
  }
  return found
}

export function markerPart({ info, parts }: MessageWithParts): CompactionPart | undefined {
  if (info.role !== "user") return undefined
  return parts.find((part): part is CompactionPart => part.type === "compaction")
}

/** Returns whether a message belongs to a compaction. Such messages are not part of the conversation. */
export function isRecord(message: MessageWithParts): boolean {
  return message.info.role === "assistant" ? message.info.summary === true : markerPart(message) !== undefined
}

/** Returns whether a part is text that the engine wrote beside a marker. */
export function isStatePart(part: Part): boolean {
  return part.type === "text" && part.metadata?.["compaction"] === "state"
}

/**
 * Returns whether a message ended, with or without an error. A message that its process left unfinished is made again.
 */
export function isSettled({ finish, error }: AssistantMessage): boolean {
  return error !== undefined || (finish !== undefined && finish !== "unknown")
}

/** Returns whether a message ended without an error. */
export function isComplete(info: AssistantMessage): boolean {
  return isSettled(info) && info.error === undefined
}

function summaryOf(messages: readonly MessageWithParts[], markerID: string) {
  const found = messages.findLast(
    ({ info }) => info.role === "assistant" && info.summary === true && info.parentID === markerID,
  )
  return found as MessageWithParts<AssistantMessage> | undefined
}

/**
 * Counts the model calls that compactions made since the agent's last good answer. An automatic compaction also counts those of
 * a failed summary before that answer: the next one would fail as well. One that the user asks for may succeed, with another
 * model or focus.
 */
export function callsMade(messages: readonly MessageWithParts[], { isAuto = true } = {}): number {
  const newest = compactionsOf(messages).at(-1)
  if (!newest) return 0
  // An answer that began before the last of the calls does not separate them from the next compaction.
  const since = newest.summary?.info.id
  if (since === undefined || (isAuto && newest.summary?.info.error)) return newest.part.calls ?? 0
  const isGood = ({ info }: MessageWithParts) => {
    return info.role === "assistant" && info.summary !== true && isComplete(info) && info.id > since
  }
  return messages.some((message) => isGood(message)) ? 0 : (newest.part.calls ?? 0)
}

/**
 * Returns the newest compaction if it is prepared: its summary, finished or not, is made in the background and not in
 * effect yet.
 */
export function preparedCompaction(messages: readonly MessageWithParts[]): CompactionRecord | undefined {
  const newest = compactionsOf(messages).at(-1)
  return newest?.part.prepared === true ? newest : undefined
}

/** Returns the newest requested compaction if it has neither summary nor failure yet. */
export function pendingCompaction(messages: readonly MessageWithParts[]): CompactionRecord | undefined {
  const newest = compactionsOf(messages).findLast(({ part }) => part.prepared !== true)
  return newest && !(newest.summary && isSettled(newest.summary.info)) ? newest : undefined
}

/** Returns whether a message stays word for word after this compaction. Ignores the messages in `keep`. */
export function isInTail(marker: MessageWithParts, id: MessageID): boolean {
  const part = markerPart(marker)
  const isLater = id > (part?.through ?? marker.info.id)
  return isLater || (part?.tail_start_id !== undefined && id >= part.tail_start_id)
}

/**
 * Returns where the context starts once this compaction is in effect: an id that sorts before or with every message
 * that stays, including those that were on their way when the compaction was made.
 */
export function contextStart(marker: MessageWithParts): MessageID {
  const part = markerPart(marker)
  const behind = part?.through === undefined ? marker.info.id : justAfter(part.through)
  const kept = (part?.keep ?? []).filter((id): id is MessageID => id.startsWith("msg_"))
  return [part?.tail_start_id, ...kept].reduce<MessageID>((first, id) => (id && id < first ? id : first), behind)
}

/** Returns an id that sorts after this one, and before every id that is made later. */
export function justAfter(id: MessageID): MessageID {
  return `${id}0`
}

/** Returns what the newest applied compaction keeps beside its summary, by kind. */
export function keptState(stored: readonly MessageWithParts[]) {
  const marker = compactionsOf(stored).findLast(({ isApplied }) => isApplied)?.marker
  const values = new Map<unknown, JSONValue>()
  let missingRequests = 0
  for (const part of marker?.parts ?? []) {
    if (!isStatePart(part) || part.type !== "text") continue
    values.set(part.metadata?.["kind"], part.metadata?.["value"] as never)
    if (typeof part.metadata?.["missing"] === "number") missingRequests = part.metadata["missing"]
  }
  return { values, missingRequests }
}

/** Returns the open requests that the newest applied compaction keeps, word for word. */
export function keptRequests(stored: readonly MessageWithParts[]): readonly string[] {
  const requests = keptState(stored).values.get("requests") as readonly { readonly text: string }[] | undefined
  return requests?.map(({ text }) => text) ?? []
}
