import { join } from "node:path"

/**
 * What decides, in a project, which commands run outside of the sandbox later on. No list can be whole: whoever runs git
 * or a script in a project that commands have changed runs what they left there.
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

/** The parts of a project that stay read-only; absolute, whether or not they exist. */
export function guardedPlaces(directory: string): readonly string[] {
  return GUARDED.map((name) => join(directory, name))
}
