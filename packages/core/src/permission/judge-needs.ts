import type { PermissionNeed } from "../contracts/tool.ts"
import { type Approval, isApproved } from "./approvals.ts"
import { decidePermission, isStricter, type PermissionDecision, type PermissionRules } from "./rules.ts"
import { type PermissionAction } from "../record/message.ts"

/** What a call is judged by. */
export interface CallJudge {
  readonly rules: PermissionRules
  readonly agent: string
  /** What was approved in the tree of sessions. */
  readonly approvals: readonly Approval[]
}

export interface JudgedNeed {
  readonly need: PermissionNeed
  /** What the rules say. */
  readonly decision: PermissionDecision
  /** Set where an answer of `always` stands for what the rules would ask. */
  readonly isApproved: boolean
  /** What becomes of it: `decision`, unless it is approved. */
  readonly action: PermissionAction
}

export interface CallJudgement {
  /** The strictest of all; a call without needs is allowed. */
  readonly action: PermissionAction
  /** In the order given. */
  readonly needs: readonly JudgedNeed[]
  /** The first need of that action; absent for a call without needs. */
  readonly decisive?: JudgedNeed
}

/**
 * Judges all needs of a call at once: one that is denied counts, whatever stands before it. Nobody is asked. The one
 * judgement for calls that run, and for all who tell what would become of one.
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
