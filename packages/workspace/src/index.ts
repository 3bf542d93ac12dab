export { createWorkspace, type WorkspaceOptions } from "./create-workspace.ts"
export { findProjectID } from "./find-project-id.ts"
export { INSTRUCTION_NAMES } from "./instruction-file.ts"
export { findWorktree } from "./worktree.ts"
