import type { PermissionNeed } from "../contracts/tool.ts"
import { type Approval, isApproved } from "./approvals.ts"
import { decidePermission, isStricter, type PermissionDecision, type PermissionRules } from "./rules.ts"
import { type PermissionAction } from "../record/message.ts"

/** The input for judging a call. */
export interface CallJudge {
  readonly rules: PermissionRules
  readonly agent: string
  /** Approvals in the tree of sessions. */
  readonly approvals: readonly Approval[]
}

export interface JudgedNeed {
  readonly need: PermissionNeed
  /** The decision of the rules. */
  readonly decision: PermissionDecision
  /** True if an approval allows what the rules would ask about. */
  readonly isApproved: boolean
  /** The resulting action: that of `decision`, unless the need is approved. */
  readonly action: PermissionAction
}

export interface CallJudgement {
  /** The strictest action of all needs; a call without needs is allowed. */
  readonly action: PermissionAction
  /** Needs in the order of the input. */
  readonly needs: readonly JudgedNeed[]
  /** The first need with the strictest action; missing for a call without needs. */
  readonly decisive?: JudgedNeed
}

/**
 * Judges all needs of a call at once: a denied need decides, whatever comes before it. Asks no user. Used for calls
 * that run and for explanations of calls.
 */
export function judgeNeeds(judge: CallJudge, needs: readonly PermissionNeed[]): CallJudgement {
  const judged = needs.map((need) => judgeNeed(judge, need))
  const decisive = judged.reduce<JudgedNeed | undefined>((first, each) => {
    return !first || isStricter(each.action, first.action) ? each : first
  }, undefined)
  return { action: decisive?.action ?? "allow", needs: judged, ...(decisive ? { decisive } : {}) }
}

function judgeNeed({ rules, agent, approvals }: CallJudge, need: PermissionNeed): JudgedNeed {
  const decision = decidePermission(rules, need)
  const isCovered = decision.action === "ask" && isApproved(approvals, agent, rules, need)
  return { need, decision, isApproved: isCovered, action: isCovered ? "allow" : decision.action }
}
