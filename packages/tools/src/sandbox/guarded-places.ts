import { join } from "node:path"

/**
 * Files of a project that decide what later commands outside of the sandbox run. The list cannot be complete: git and
 * scripts in a changed project run what sandboxed commands left there.
 */
const GUARDED = [
  ".git/hooks",
  ".git/commondir",
  ".git/config",
  ".git/config.worktree",
  ".git/info/attributes",
  ".git/modules",
  ".gitconfig",
  ".githooks",
  ".husky",
  ".pawl",
  ".opencode",
  ".claude",
  ".agents",
  ".mcp.json",
  "pawl.json",
  "pawl.jsonc",
  "opencode.json",
  "opencode.jsonc",
  ".envrc",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  "lefthook-local.yml",
  ".vscode",
  ".idea",
]

/** Returns absolute paths that stay read-only in a project, whether or not they exist. */
export function guardedPaths(directory: string): readonly string[] {
  return GUARDED.map((name) => join(directory, name))
}
