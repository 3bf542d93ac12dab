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

/** What was asked of one model for one purpose. All bills together are what was spent. */
export interface Bill {
  readonly model: ModelRef
  readonly agent: string
  readonly purpose: "step" | UsagePart["purpose"]
  /** The tool whose call it is put down to; absent where none is. */
  readonly tool?: string
  readonly spent: Spent
}

/** Of a message of the assistant that is complete: one for each of its calls, or a single one where it made none. */
export function billsOf(message: MessageWithParts<AssistantMessage>): Bill[] {
  const { providerID, modelID, agent, summary } = message.info
  const about = { model: { providerID, modelID }, agent, purpose: summary ? "compaction" : "step" } as const
  const calls = spentByCall(message)
  if (calls.length === 0) return [{ ...about, spent: spentFor(message) }]
  return calls.map(({ call, spent }) => ({ ...about, tool: toolName(call.tool), spent }))
}

/** Of what stands with a message of the user's. What a call asked for is in its own message's bills. */
export function usageBills(part: UsagePart): Bill[] {
  const { providerID, modelID, agent, purpose } = part
  return purpose === "tool" ? [] : [{ model: { providerID, modelID }, agent, purpose, spent: spentIn(part) }]
}
