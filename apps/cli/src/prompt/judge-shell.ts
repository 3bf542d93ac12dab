import {
  type AskPermission,
  decidePermission,
  type PermissionDecision,
  type PermissionNeed,
  type PermissionRules,
  type Tool,
} from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"

export interface ShellJudge {
  /** What binds the agent that the prompt is for. */
  readonly rules: PermissionRules
  /** Says what a command needs. */
  readonly bash: Pick<Tool, "parse" | "permissions">
  /** Absent where nobody can be asked. */
  readonly ask?: AskPermission | undefined
  readonly directory: string
  readonly worktree: string
  /** Ends a question. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Resolves where a command of a template may run, as the same call of the tool bash would, for an answer `always` once.
 * Throws UsageError where a rule denies it, and where it would have to be asked and nobody says yes.
 */
export async function judgeShell(command: string, judge: ShellJudge): Promise<void> {
  const { rules, bash, directory, worktree } = judge
  const needs = (await bash.permissions?.(bash.parse({ command }), { directory, worktree })) ?? []
  for (const need of needs.length > 0 ? needs : [{ permission: "bash", patterns: [command] }]) {
    const decision = decidePermission(rules, need)
    if (decision.action === "deny") throw refused(command, decision, "is denied")
    if (decision.action === "ask") await ask(command, need, decision, judge)
  }
}

async function ask(
  command: string,
  { permission, patterns, unclear, metadata }: PermissionNeed,
  decision: PermissionDecision,
  { ask: askPerson, signal = new AbortController().signal }: ShellJudge,
): Promise<void> {
  if (!askPerson) throw refused(command, decision, "has to be asked for, and nobody is here to be asked")
  const about = { ...metadata, ...(unclear === undefined ? {} : { unclear }) }
  const reply = await askPerson(
    {
      // Nothing is stored yet that the question could be a part of.
      ...{ id: "prompt", sessionID: "ses_new", rootSessionID: "ses_new", tool: { messageID: "", callID: "" } },
      ...{ permission, patterns, always: [], metadata: about },
    },
    signal,
  )
  const { reply: said } = typeof reply === "string" ? { reply } : reply
  if (said === "reject") throw new UsageError(`The command's shell was refused: ${command}`)
}

function refused(command: string, { permission, pattern, rule, scope, file, line }: PermissionDecision, why: string) {
  const place = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`
  const by = rule ? ` by the rule ${permission} "${rule.pattern}": ${rule.action}${place ? ` (${place})` : ""}` : ""
  return new UsageError(`The template runs ${JSON.stringify(command)}, and ${permission} "${pattern}" ${why}${by}.`)
}
