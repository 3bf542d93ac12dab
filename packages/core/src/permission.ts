// For programs that decide about a call before it runs, or explain a decision: rules, scopes and judgements.
export type { PermissionAction, PermissionRule } from "./record/message.ts"
export {
  type PermissionRules,
  type PermissionScope,
  type PermissionDecision,
  decidePermission,
} from "./permission/rules.ts"
export type { PermissionNeed, ToolLocation } from "./contracts/tool.ts"
export {
  type PermissionExplanation,
  type LevelExplanation,
  type SpokenRule,
  explainDecision,
} from "./permission/explain.ts"
export { PermissionDeniedError } from "./base/errors.ts"
export { permissionRules } from "./permission/scopes.ts"
export { type CallJudge, type JudgedNeed, judgeNeeds } from "./permission/judge-needs.ts"
export { callNeeds } from "./contracts/call-needs.ts"
export { type AskedPatterns, chosenPatternsProblem } from "./permission/chosen-patterns.ts"
export { isNoWider } from "./permission/is-no-wider.ts"
export { isInProject, type ProjectBounds } from "./record/project-bounds.ts"
export { withPlainSecretNames } from "./permission/credential-files.ts"
