export { loadUserTools, type LoadedTools, type LoadOptions } from "./load-user-tools.ts"
export type { UserToolFile, UserToolProblem } from "./tool-file.ts"
export type { UserToolContext, UserToolNeed } from "./user-tool.ts"
export { shimNames } from "./shims.ts"
