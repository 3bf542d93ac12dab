export { explainCall, type ExplainedCall, type ExplainedNeed } from "./permissions/explain-call.ts"
export { readUsage } from "./usage/read-usage.ts"
export { ASPECTS } from "./usage/aspects.ts"
export { type Aspect, createUsageTable } from "./usage/usage.ts"
