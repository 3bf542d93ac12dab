import {
  explainDecision,
  isApproved,
  type PermissionAction,
  type PermissionExplanation,
  type PermissionNeed,
} from "@pawl/core"
import type { RulesHere } from "./rules-here.ts"

/** A need with the decision on it. */
export interface JudgedNeed extends PermissionExplanation {
  readonly need: PermissionNeed
  /** What would happen: what was approved for good is not asked again. */
  readonly action: PermissionAction
  readonly isApproved: boolean
}

const STRICTNESS: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 }

export function judgeNeed(
  need: PermissionNeed,
  { rules, agent, approvals }: Pick<RulesHere, "rules" | "agent" | "approvals">,
): JudgedNeed {
  const explanation = explainDecision(rules, need)
  const { action } = explanation.decision
  const remembered = action === "ask" && isApproved(approvals, agent.name, rules, need)
  return { ...explanation, need, action: remembered ? "allow" : action, isApproved: remembered }
}

/** The strictest of all; a call without needs is allowed. */
export function strictestAction(judged: readonly Pick<JudgedNeed, "action">[]): PermissionAction {
  return judged.reduce<PermissionAction>(
    (strictest, { action }) => (STRICTNESS[action] > STRICTNESS[strictest] ? action : strictest),
    "allow",
  )
}

export function isStricter(one: PermissionAction, other: PermissionAction): boolean {
  return STRICTNESS[one] > STRICTNESS[other]
}
