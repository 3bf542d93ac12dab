import type { PermissionScope } from "../permission/rules.ts"
import { subtasksOf } from "../record/pending-subtask.ts"
import type { MessageWithParts } from "../record/message.ts"

/** Returns rules that allow tasks for the subagents in a user's message without asking. Rules that deny still win. */
export function mentioned(user: MessageWithParts): PermissionScope[] {
  const names = user.parts.flatMap((part) => (part.type === "agent" ? [part.name] : []))
  const agents = new Set([...names, ...subtasksOf(user).map(({ agent }) => agent)])
  if (agents.size === 0) return []
  const rules = [...agents].map((agent) => ({ permission: "task", pattern: agent, action: "allow" as const }))
  return [{ name: "the user's message", rules }]
}
