import type { IDSource, MessageID } from "../../base/ids.ts"
import type { Write } from "../../contracts/storage.ts"
import { variantFor } from "../../contracts/variant.ts"
import { noTokens } from "../../record/tokens.ts"
import type { AssistantMessage, StepStartPart, UserMessage } from "../../record/message.ts"
import type { StoredHead } from "../../request/context-head.ts"
import type { History } from "../../store/history.ts"
import type { StepContext } from "../../request/step-context.ts"

interface MessageDeps {
  readonly ids: IDSource
  readonly now: () => number
}

/** Returns the message that the answer of a step goes into. */
export function newMessage(
  deps: MessageDeps,
  { agent, model, workspace }: Pick<StepContext, "agent" | "model" | "workspace">,
  history: History,
  user: UserMessage,
): AssistantMessage {
  const { providerID, modelID } = model.ref
  const variant = variantFor(model.info, user.variant)
  return {
    id: deps.ids.message(history.messages.at(-1)?.info.id),
    sessionID: history.session.id,
    role: "assistant",
    parentID: user.id,
    providerID,
    modelID,
    ...(variant === undefined ? {} : { variant }),
    agent: agent.name,
    mode: agent.name,
    path: { cwd: workspace.directory, root: workspace.worktree },
    cost: 0,
    tokens: noTokens,
    time: { created: deps.now() },
  }
}

export function startPart(
  { ids }: Pick<MessageDeps, "ids">,
  { id, sessionID }: AssistantMessage,
  head?: StoredHead,
): StepStartPart {
  const part = { id: ids.part(), sessionID, messageID: id, type: "step-start" } as const
  return head ? { ...part, head } : part
}

/** Returns a user message behind `newest` that holds `text` in a reminder. `metadata` is stored with its part. */
export function reminderMessage(
  { ids, now }: MessageDeps,
  user: UserMessage,
  newest: MessageID,
  { text, metadata }: { readonly text: string; readonly metadata: Readonly<Record<string, unknown>> },
): Write[] {
  const { clientID: _clientID, delivery: _delivery, ...fields } = user
  const message: UserMessage = { ...fields, id: ids.message(newest), time: { created: now() } }
  const owner = { id: ids.part(), sessionID: message.sessionID, messageID: message.id }
  const reminder = `<system-reminder>\n${text}\n</system-reminder>`
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: reminder, synthetic: true, metadata } },
  ]
}

/** Returns a user message that tells the model that it repeats itself. */
export function nudgeMessage(deps: MessageDeps, user: UserMessage, newest: MessageID, text: string): Write[] {
  return reminderMessage(deps, user, newest, { text, metadata: { nudge: true } })
}

/** Completes a message that was cut off. The loop does not treat it as an answer. */
export function cutOff({ now }: Pick<MessageDeps, "now">, message: AssistantMessage): Write[] {
  const time = { ...message.time, completed: now() }
  return [{ type: "message.put", message: { ...message, finish: "unknown", time } }]
}
