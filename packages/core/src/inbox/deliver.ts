import type { Storage, Write } from "../contracts/storage.ts"
import type { MessageID, SessionID } from "../base/ids.ts"
import { NotFoundError } from "../base/errors.ts"
import { isRequest } from "../record/request-order.ts"
import { type AdmitDeps, promptPatch, reminderParts } from "./admit.ts"
import { findPrompt } from "./find-prompt.ts"
import { type History, openHistory } from "../store/history.ts"
import { type Journal, type JournalDeps, publishWrites } from "../store/journal.ts"
import type { MessageWithParts, Part, UserMessage } from "../record/message.ts"
import { remindersFor } from "../reminders/reminders.ts"

/** A prompt that was stored for a session at work and has not been delivered. */
export type WaitingPrompt = MessageWithParts<UserMessage>

// In one commit the waiting message goes and a delivered one comes, under an id that sorts where it is read:
//
//   waiting ──removed, and put anew──▶ delivered
//      └────────── removed ─────────▶ withdrawn
//
// The first write puts a part of the waiting message again, or one that goes with it where it has none: where somebody
// else has removed the message, all of it fails.

export interface Due {
  readonly prompts: readonly WaitingPrompt[]
  /** A turn is under way, which the model is told of. */
  readonly isMidTurn: boolean
}

/** What is to be delivered now: what steers at the next step, and of what is queued the oldest, once the turn is over. */
export function duePrompts({ waiting = [] }: Pick<History, "waiting">, isTurnOver: boolean): readonly WaitingPrompt[] {
  const steering = waiting.filter(({ info }) => info.delivery?.mode !== "queue")
  return steering.length > 0 || !isTurnOver ? steering : waiting.slice(0, 1)
}

/** Puts these into the conversation, each exactly once: what was withdrawn meanwhile, or came a second time, is left out. */
export async function deliver(deps: AdmitDeps, journal: Journal, history: History, due: Due): Promise<void> {
  const { session, messages } = history
  let newest = messages.at(-1)?.info.id
  let { agent } = session
  let since: Pick<UserMessage, "id" | "time"> | undefined = messages.findLast((message) => isRequest(message))?.info
  for (const prompt of due.prompts) {
    const { info } = prompt
    if (await isTwin(deps, prompt, history)) {
      await journal.attempt([...guard(prompt), { type: "message.remove", messageID: info.id }])
      continue
    }
    const id = deps.ids.message(newest)
    const following = info.delivery?.agent === "session" && deps.agents.get(agent ?? "")
    const message: UserMessage = {
      ...{ ...info, id, time: { created: deps.now() }, agent: following ? following.name : info.agent },
      delivery: { mode: info.delivery?.mode ?? "queue", state: "delivered" },
    }
    const parts = prompt.parts.map((part): Part => ({ ...part, id: deps.ids.part(), messageID: id }))
    const before = { pins: session.pins, agent }
    const reminders = remindersFor({ session: before, agent: message.agent, isQueued: due.isMidTurn, since })
    const all = [...parts, ...reminderParts(deps, reminders, message, parts.at(-1)?.id)]
    const isDelivered = await journal.attempt([
      ...guard(prompt),
      { type: "message.remove", messageID: info.id },
      { type: "message.put", message },
      ...all.map((part): Write => ({ type: "part.put", part })),
      { type: "session.patch", changes: promptPatch(deps, session, message, parts) },
    ])
    if (!isDelivered) continue
    newest = id
    agent = message.agent
    since = message
  }
}

/** Whether a prompt of the same name has been read already: its sender did not hear of it and sent it again. */
async function isTwin(deps: AdmitDeps, { info }: WaitingPrompt, { session }: History): Promise<boolean> {
  const { clientID, id } = info
  // A name that nobody gave is nobody else's.
  if (clientID === undefined || clientID === id) return false
  return (await findPrompt(deps, session.id, clientID, { but: id })) !== undefined
}

/** Fails with its commit where the message is gone. */
export function guard({ info, parts }: WaitingPrompt): Write[] {
  const owner = { id: `prt_${info.id}`, sessionID: info.sessionID, messageID: info.id } as const
  const [part = { ...owner, type: "text", text: "", synthetic: true }] = parts
  return [{ type: "part.put", part }]
}

export interface QueueDeps extends JournalDeps {
  readonly storage: JournalDeps["storage"] & Pick<Storage, "readContext" | "readChanges">
}

/** Oldest first. */
export async function queuedPrompts(deps: QueueDeps, sessionID: SessionID): Promise<readonly WaitingPrompt[]> {
  return (await openHistory(deps, sessionID)).waiting ?? []
}

/** Whether it waited, and does so no more; not where it has been delivered. `id`: the message's, or its sender's own. */
export async function withdraw(deps: QueueDeps, sessionID: SessionID, id: string): Promise<boolean> {
  const prompt = (await queuedPrompts(deps, sessionID)).find(({ info }) => info.id === id || info.clientID === id)
  if (!prompt) return false
  const removal: Write = { type: "message.remove", messageID: prompt.info.id }
  try {
    await deps.storage.commit(sessionID, [...guard(prompt), removal])
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
  await publishWrites(deps, sessionID, [removal])
  return true
}

/** What keeps prompts before a new start of the context, put again behind it. */
export function movedBehind(
  { ids }: Pick<AdmitDeps, "ids">,
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
