import type { Storage, Revision, Write } from "../contracts/storage.ts"
import type { IDSource, MessageID, SessionID } from "../base/ids.ts"
import { NotFoundError } from "../base/errors.ts"
import { isRequest } from "../record/request-order.ts"
import { type AdmitDeps, promptPatch, reminderParts } from "./admit.ts"
import { finalUndoWrites, undoPatch } from "../undo/final-undo.ts"
import { findPrompt, type FindPromptDeps } from "./find-prompt.ts"
import { type History, openHistory } from "../store/history.ts"
import { type Journal, type JournalDeps, publishWrites } from "../store/journal.ts"
import type { MessageWithParts, Part, Session, UserMessage } from "../record/message.ts"
import { remindersFor } from "../reminders/reminders.ts"

/** A prompt that was stored for a running session and has not been delivered. */
export type WaitingPrompt = MessageWithParts<UserMessage>

// A commit replaces the waiting message by a delivered one, with an id that sorts where the message is read:
//
//   waiting ──removed, and put again──▶ delivered
//      └────────── removed ──────────▶ withdrawn
//
// The first write puts a part of the waiting message again, or an empty part if it has no parts. If another writer has
// removed the message, this write fails, and the whole commit with it.

export interface Due {
  readonly prompts: readonly WaitingPrompt[]
  /** Set if a turn is running. The model then gets a reminder. */
  readonly isMidTurn: boolean
}

/** Returns the prompts to deliver now: steering prompts at the next step, the oldest queued prompt after the turn. */
export function duePrompts({ waiting = [] }: Pick<History, "waiting">, isTurnOver: boolean): readonly WaitingPrompt[] {
  const steering = waiting.filter(({ info }) => info.delivery?.mode !== "queue")
  return steering.length > 0 || !isTurnOver ? steering : waiting.slice(0, 1)
}

export type DeliverDeps = Pick<AdmitDeps, "store" | "settings" | "mask">

/** Puts prompts into the conversation, each exactly once. Skips withdrawn prompts and duplicates. */
export async function deliver(deps: DeliverDeps, journal: Journal, history: History, due: Due): Promise<void> {
  const { store, settings, mask } = deps
  const { ids, now } = store
  const { session, messages } = history
  let newest = messages.at(-1)?.info.id
  const { agents } = settings()
  let { agent } = session
  let since: Pick<UserMessage, "id" | "time"> | undefined = messages.findLast((message) => isRequest(message))?.info
  // The first prompt makes an undo final. Prompts that were sent to a running session find none.
  let undone: Pick<Session, "undo" | "undoNotice"> = session
  for (const prompt of due.prompts) {
    const { info } = prompt
    if (await isDuplicate(store, prompt, history)) {
      await journal.attempt([...guard(prompt), { type: "message.remove", messageID: info.id }])
      continue
    }
    const id = ids.message(newest)
    const following = info.delivery?.agent === "session" && agents.get(agent ?? "")
    const message: UserMessage = {
      ...{ ...info, id, time: { created: now() }, agent: following ? following.name : info.agent },
      delivery: { mode: info.delivery?.mode ?? "queue", state: "delivered" },
    }
    const parts = prompt.parts.map((part): Part => ({ ...part, id: ids.part(), messageID: id }))
    const before = { ...undone, pins: session.pins, agent }
    const reminders = remindersFor({ session: before, agent: message.agent, isQueued: due.isMidTurn, since })
    const all = [...parts, ...reminderParts(store, reminders, message, parts.at(-1)?.id)]
    const isDelivered = await journal.attempt([
      ...guard(prompt),
      ...(undone.undo ? await finalUndoWrites(store, session) : []),
      { type: "message.remove", messageID: info.id },
      { type: "message.put", message },
      ...undoPatch(undone, message, ids).map((part): Write => ({ type: "part.put", part })),
      ...all.map((part): Write => ({ type: "part.put", part })),
      { type: "session.patch", changes: promptPatch({ now, mask }, session, message, parts) },
    ])
    if (!isDelivered) continue
    undone = {}
    newest = id
    agent = message.agent
    since = message
  }
}

/** Returns whether a prompt with the same `clientID` is in the conversation: its sender sent it again. */
async function isDuplicate(deps: FindPromptDeps, { info }: WaitingPrompt, { session }: History): Promise<boolean> {
  const { clientID, id } = info
  // Without a `clientID` of the sender there can be no duplicate.
  if (clientID === undefined || clientID === id) return false
  return (await findPrompt(deps, session.id, clientID, { but: id })) !== undefined
}

/** Returns a write that makes its commit fail if the message was removed. */
export function guard({ info, parts }: WaitingPrompt): Write[] {
  const owner = { id: `prt_${info.id}`, sessionID: info.sessionID, messageID: info.id } as const
  const [part = { ...owner, type: "text", text: "", synthetic: true }] = parts
  return [{ type: "part.put", part }]
}

export interface QueueDeps extends JournalDeps {
  readonly storage: JournalDeps["storage"] & Pick<Storage, "readContext" | "readChanges">
}

/** Returns the waiting prompts, oldest first. */
export async function queuedPrompts(deps: QueueDeps, sessionID: SessionID): Promise<readonly WaitingPrompt[]> {
  return (await openHistory(deps, sessionID)).waiting ?? []
}

/**
 * Removes a waiting prompt. Resolves with false if no such prompt waits. `id`: the message's id or its `clientID`.
 */
export async function withdraw(deps: QueueDeps, sessionID: SessionID, id: string): Promise<boolean> {
  const prompt = (await queuedPrompts(deps, sessionID)).find(({ info }) => info.id === id || info.clientID === id)
  if (!prompt) return false
  const removal: Write = { type: "message.remove", messageID: prompt.info.id }
  let revision: Revision
  try {
    revision = await deps.storage.commit(sessionID, [...guard(prompt), removal])
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
  await publishWrites(deps, sessionID, { writes: [removal], revision })
  return true
}

/** Returns the writes that put waiting prompts again behind a new start of the context, so that they stay readable. */
export function movedBehind(
  { ids }: { readonly ids: IDSource },
  boundary: MessageID | undefined,
  { waiting = [] }: Pick<History, "waiting">,
): Write[] {
  if (boundary === undefined) return []
  let last = boundary
  return waiting.flatMap((prompt): Write[] => {
    if (prompt.info.id >= boundary) return []
    last = ids.message(last)
    return [
      ...guard(prompt),
      { type: "message.remove", messageID: prompt.info.id },
      { type: "message.put", message: { ...prompt.info, id: last } },
      ...prompt.parts.map((part): Write => ({ type: "part.put", part: { ...part, messageID: last } })),
    ]
  })
}
