import type { Env } from "../source.ts"

/** Variables that disable definitions for Claude Code if they are `1` or `true`. */
const WITHOUT_CLAUDE_CODE = ["PAWL_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE"]
const WITHOUT_CLAUDE_CODE_SKILLS = ["PAWL_DISABLE_CLAUDE_CODE_SKILLS", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS"]
/** Variables that disable the skills in `.claude` and `.agents`. */
const WITHOUT_EXTERNAL_SKILLS = ["PAWL_DISABLE_EXTERNAL_SKILLS", "OPENCODE_DISABLE_EXTERNAL_SKILLS"]

export interface Switches {
  /** True to read agents and commands in `.claude`. */
  readonly claudeCode: boolean
  /** True to read skills in `.claude`. */
  readonly claudeSkills: boolean
  /** True to read skills in `.agents`. */
  readonly agentsSkills: boolean
}

export function readSwitches(env: Env): Switches {
  const isOn = (names: readonly string[]) =>
    names.some((name) => ["1", "true"].includes(env[name]?.toLowerCase() ?? ""))
  const claudeCode = !isOn(WITHOUT_CLAUDE_CODE)
  const agentsSkills = !isOn(WITHOUT_EXTERNAL_SKILLS)
  return { claudeCode, claudeSkills: claudeCode && agentsSkills && !isOn(WITHOUT_CLAUDE_CODE_SKILLS), agentsSkills }
}
