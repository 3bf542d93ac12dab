import type { Agent } from "../agents/agent.ts"
import type { IDSource } from "../base/ids.ts"
import type { Write } from "../contracts/storage.ts"
import type { MessageWithParts, UserMessage } from "../record/message.ts"

/** The tool with which the user approves a plan. No other tool's result changes the agent. */
const PLAN_EXIT = "plan_exit"

/**
 * Returns the agent that takes over after the answer to the newest user message. Undefined if the agent stays. Messages
 * during the turn do not change the approval.
 */
export function handoverOf(
  messages: readonly MessageWithParts[],
  agents: ReadonlyMap<string, Agent>,
): { readonly agent: string; readonly after: MessageWithParts<UserMessage> } | undefined {
  const after = messages.findLast((message): message is MessageWithParts<UserMessage> => message.info.role === "user")
  if (!after) return undefined
  const begins = messages.findLastIndex((message) => message.info.role === "user" && !isMidTurn(message))
  const parts = messages.slice(begins + 1).flatMap((message) => message.parts)
  const call = parts.findLast((part) => part.type === "tool" && part.tool === PLAN_EXIT)
  const agent = call?.type === "tool" && call.state.status === "completed" ? call.state.metadata["switchAgent"] : ""
  return typeof agent === "string" && agents.has(agent) && agent !== after.info.agent ? { agent, after } : undefined
}

/** Returns whether the message was added during a turn: by the user, or synthetically in the user's name. */
function isMidTurn({ info, parts }: MessageWithParts): boolean {
  const isQueued = parts.some((part) => part.type === "text" && part.metadata?.["reminder"] === "queued")
  return isQueued || (info.role === "user" && parts.every((part) => part.type === "text" && part.synthetic === true))
}

const TEXT =
  "<system-reminder>\nThe user approved the plan. You may change files now: carry it out.\n</system-reminder>"

/** Returns the writes of a message in the user's name, with which the agent takes over. */
export function handoverWrites(
  { ids, now }: { readonly ids: IDSource; readonly now: () => number },
  { agent, after }: NonNullable<ReturnType<typeof handoverOf>>,
  newest: MessageWithParts,
): Write[] {
  const { delivery: _delivery, clientID: _clientID, ...fields } = after.info
  const message: UserMessage = { ...fields, id: ids.message(newest.info.id), agent, time: { created: now() } }
  const owner = { id: ids.part(), sessionID: message.sessionID, messageID: message.id }
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: TEXT, synthetic: true } },
    { type: "session.patch", changes: { agent } },
  ]
}
