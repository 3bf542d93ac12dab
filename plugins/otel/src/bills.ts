import {
  type AssistantMessage,
  type MessageWithParts,
  type ModelRef,
  type Spent,
  spentByCall,
  spentFor,
  spentIn,
  type UsagePart,
} from "@pawl/core/record"
import { toolName } from "./tool-name.ts"

/** Usage of one model for one purpose. All bills together are the total usage. */
export interface Bill {
  readonly model: ModelRef
  readonly agent: string
  readonly purpose: "step" | UsagePart["purpose"]
  /** The tool whose call caused the usage, if any. */
  readonly tool?: string
  readonly spent: Spent
}

/** Returns the bills of a complete assistant message: one per tool call, or a single one if it has no calls. */
export function billsOf(message: MessageWithParts<AssistantMessage>): Bill[] {
  const { providerID, modelID, agent, summary } = message.info
  const about = { model: { providerID, modelID }, agent, purpose: summary ? "compaction" : "step" } as const
  const calls = spentByCall(message)
  if (calls.length === 0) return [{ ...about, spent: spentFor(message) }]
  return calls.map(({ call, spent }) => ({ ...about, tool: toolName(call.tool), spent }))
}

/** Returns the bills of usage that is stored with a user message. Usage of a call is in its own message. */
export function usageBills(part: UsagePart): Bill[] {
  const { providerID, modelID, agent, purpose } = part
  return purpose === "tool" ? [] : [{ model: { providerID, modelID }, agent, purpose, spent: spentIn(part) }]
}
