import type { SessionID } from "../base/ids.ts"
import type { Change, Context, Revision, Storage, Write } from "../contracts/storage.ts"
import type { MessageWithParts, Session, UserMessage } from "../record/message.ts"
import { isWaiting } from "../record/waiting.ts"

export interface HistoryDeps {
  readonly storage: Pick<Storage, "readContext" | "readChanges">
}

/** The committed messages from the boundary on, as of a revision. Unchanged messages keep their identity. */
export interface History {
  readonly session: Session
  readonly revision: Revision
  /** Messages without the waiting ones, which no agent has read yet. */
  readonly messages: readonly MessageWithParts[]
  /** Prompts that wait for delivery, oldest first; missing if no prompt waits. */
  readonly waiting?: readonly MessageWithParts<UserMessage>[]
}

export async function openHistory(
  { storage }: HistoryDeps,
  sessionID: SessionID,
): Promise<History & Pick<Context, "damaged">> {
  const { damaged, messages, ...context } = await storage.readContext(sessionID)
  return { ...context, ...divided(messages), ...(damaged ? { damaged } : {}) }
}

/** Reads only the commits since. If the boundary moved, reads the context from the new one. */
export async function catchUp(deps: HistoryDeps, history: History): Promise<History> {
  const changes = await deps.storage.readChanges(history.session.id, history.revision)
  if (changes.length === 0) return history
  const next = applyChanges(history, changes)
  return next.session.boundary === history.session.boundary ? next : openHistory(deps, history.session.id)
}

/** Returns the history after a commit of these writes. Catching up later includes that commit like any other. */
export function withStaged(history: History, staged: readonly Write[]): History {
  const { revision } = history
  return applyChanges(
    history,
    staged.flatMap((write) => (write.type === "session.patch" ? [] : { ...write, revision })),
  )
}

/** Applies `changes`, which must all be later than the history. The result equals reading the context again. */
export function applyChanges(history: History, changes: readonly Change[]): History {
  const session = changes.findLast((change) => change.type === "session.put")?.session ?? history.session
  const revision = changes.reduce((latest, change) => Math.max(latest, change.revision), history.revision)
  const messages = together(history)
  // A message that is put again at the end of its step comes after its parts, so messages are applied first.
  for (const change of changes) applyToMessages(messages, change, session.boundary ?? "")
  for (const change of changes) applyToParts(messages, change)
  return { session, revision, ...divided(messages) }
}

/** Merges the messages in the order of their ids. */
function together({ messages, waiting = [] }: History): MessageWithParts[] {
  const all = [...messages]
  for (const message of waiting) insert(all, message, ({ info }) => info.id)
  return all
}

/** Separates waiting messages. Usually no message waits. */
function divided(all: readonly MessageWithParts[]): Pick<History, "messages" | "waiting"> {
  if (!all.some((message) => isWaiting(message))) return { messages: all }
  return {
    messages: all.filter((message) => !isWaiting(message)),
    waiting: all.filter((message) => isWaiting(message)),
  }
}

function applyToMessages(messages: MessageWithParts[], change: Change, boundary: string): void {
  if (change.type === "message.put" && change.message.id >= boundary) {
    const at = indexOf(messages, change.message.id)
    const known = messages[at]
    if (known) messages[at] = { info: change.message, parts: known.parts }
    else insert(messages, { info: change.message, parts: [] }, (message) => message.info.id)
  }
  if (change.type === "message.remove") {
    const at = indexOf(messages, change.messageID)
    if (at >= 0) messages.splice(at, 1)
  }
}

function applyToParts(messages: MessageWithParts[], change: Change): void {
  if (change.type !== "part.put" && change.type !== "part.remove") return
  const { messageID, id } =
    change.type === "part.put" ? change.part : { messageID: change.messageID, id: change.partID }
  const at = indexOf(messages, messageID)
  const known = messages[at]
  if (!known) return
  const parts = known.parts.filter((part) => part.id !== id)
  if (change.type === "part.put") insert(parts, change.part, (part) => part.id)
  messages[at] = { info: known.info, parts }
}

/**
 * Finds a message from the end, then by binary search, then one by one. Usually the newest messages change, but
 * clearing old outputs changes thousands at once, and a message may be out of order.
 */
function indexOf(messages: readonly MessageWithParts[], id: string): number {
  if (messages.at(-1)?.info.id === id) return messages.length - 1
  let [low, high] = [0, messages.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    const each = messages[middle]
    if (each && each.info.id < id) low = middle + 1
    else high = middle
  }
  return messages[low]?.info.id === id ? low : messages.findLastIndex((message) => message.info.id === id)
}

/** Inserts the item and keeps `list` in ascending order of id. */
function insert<T>(list: T[], item: T, id: (item: T) => string): void {
  const behind = list.findLastIndex((other) => id(other) < id(item))
  list.splice(behind + 1, 0, item)
}
