import type { Agent } from "../agent.ts"
import type { IDSource } from "../ids.ts"
import type { Write } from "../storage/storage.ts"
import type { MessageWithParts, UserMessage } from "./message.ts"

/** The tool by which the user has the plan carried out. No other tool's result changes the agent. */
const PLAN_EXIT = "plan_exit"

/** The agent that takes over now that the newest user message is answered; undefined where the same one stays. */
export function handoverOf(
  messages: readonly MessageWithParts[],
  agents: ReadonlyMap<string, Agent>,
): { readonly agent: string; readonly after: MessageWithParts<UserMessage> } | undefined {
  const at = messages.findLastIndex(({ info }) => info.role === "user")
  const after = messages[at] as MessageWithParts<UserMessage> | undefined
  if (!after) return undefined
  const parts = messages.slice(at + 1).flatMap((message) => message.parts)
  const call = parts.findLast((part) => part.type === "tool" && part.tool === PLAN_EXIT)
  const agent = call?.type === "tool" && call.state.status === "completed" ? call.state.metadata["switchAgent"] : ""
  return typeof agent === "string" && agents.has(agent) ? { agent, after } : undefined
}

const TEXT =
  "<system-reminder>\nThe user approved the plan. You may change files now: carry it out.\n</system-reminder>"

/** A message in the user's name, by which the agent takes over. */
export function handoverWrites(
  { ids, now }: { readonly ids: IDSource; readonly now: () => number },
  { agent, after }: NonNullable<ReturnType<typeof handoverOf>>,
  newest: MessageWithParts,
): Write[] {
  const { delivery: _delivery, clientID: _clientID, ...asked } = after.info
  const message: UserMessage = { ...asked, id: ids.message(newest.info.id), agent, time: { created: now() } }
  const owner = { id: ids.part(), sessionID: message.sessionID, messageID: message.id }
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: TEXT, synthetic: true } },
    { type: "session.patch", changes: { agent } },
  ]
}
