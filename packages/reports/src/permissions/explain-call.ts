import {
  type CallJudge,
  explainDecision,
  judgeNeeds,
  type JudgedNeed,
  type PermissionAction,
  type PermissionExplanation,
  type PermissionNeed,
} from "@pawl/core/permission"

/** A need with the decision on it, and with all that led to it. */
export interface ExplainedNeed extends Omit<PermissionExplanation, "decision">, JudgedNeed {}

export interface ExplainedCall {
  /** Decision on the call: denied if one of its needs is denied, otherwise asked if one of them is asked. */
  readonly action: PermissionAction
  readonly needs: readonly ExplainedNeed[]
}

export function explainCall(judge: CallJudge, needs: readonly PermissionNeed[]): ExplainedCall {
  const { action, needs: judged } = judgeNeeds(judge, needs)
  return { action, needs: judged.map((each) => ({ ...explainDecision(judge.rules, each.need), ...each })) }
}
