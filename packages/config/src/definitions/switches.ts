import type { Env } from "../source.ts"

/** Each keeps away what users have written for Claude Code when it is `1` or `true`. */
const WITHOUT_CLAUDE_CODE = ["PAWL_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE"]
const WITHOUT_CLAUDE_CODE_SKILLS = ["PAWL_DISABLE_CLAUDE_CODE_SKILLS", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS"]
/** The same for the skills in `.claude` and `.agents`. */
const WITHOUT_EXTERNAL_SKILLS = ["PAWL_DISABLE_EXTERNAL_SKILLS", "OPENCODE_DISABLE_EXTERNAL_SKILLS"]

export interface Switches {
  /** Agents and commands in `.claude`. */
  readonly claudeCode: boolean
  /** Skills in `.claude`. */
  readonly claudeSkills: boolean
  /** Skills in `.agents`. */
  readonly agentsSkills: boolean
}

export function readSwitches(env: Env): Switches {
  const isOn = (names: readonly string[]) =>
    names.some((name) => ["1", "true"].includes(env[name]?.toLowerCase() ?? ""))
  const claudeCode = !isOn(WITHOUT_CLAUDE_CODE)
  const agentsSkills = !isOn(WITHOUT_EXTERNAL_SKILLS)
  return { claudeCode, claudeSkills: claudeCode && agentsSkills && !isOn(WITHOUT_CLAUDE_CODE_SKILLS), agentsSkills }
}
