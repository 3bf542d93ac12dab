import type { SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import type { JudgeRead } from "../contracts/tool.ts"
import { readApprovals } from "../permission/approvals.ts"
import { judgeNeeds } from "../permission/judge-needs.ts"
import type { PermissionRules } from "../permission/rules.ts"

export interface ReadingCall {
  readonly rootSessionID: SessionID
  readonly agent: string
  readonly rules: PermissionRules
}

/** Returns a function that decides about a `read` of this agent, by its rules and approvals so far. Asks no user. */
export async function judgeReads(
  storage: Pick<Storage, "getSession">,
  { rootSessionID, agent, rules }: ReadingCall,
): Promise<JudgeRead> {
  const approvals = await readApprovals({ storage }, rootSessionID)
  return (names) => {
    return judgeNeeds({ rules, agent, approvals }, [{ permission: "read", patterns: names }]).action
  }
}
