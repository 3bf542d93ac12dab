import type { AskPermission } from "@pawl/core/host"
import { judgeNeeds, type PermissionDecision, type PermissionNeed, type PermissionRules } from "@pawl/core/permission"
import { UsageError } from "@pawl/config/usage-error"

export interface ActionPolicy {
  /** Permission rules of the agent that the prompt is for. */
  readonly rules: PermissionRules
  readonly agent: string
  /** Absent if the user cannot be asked. */
  readonly ask?: AskPermission | undefined
  /** Aborts a question to the user. */
  readonly signal?: AbortSignal | undefined
}

/** An action of a prompt before a model reads it. */
export interface PromptAction {
  /** Beginning of the error if it is not allowed: a sentence without its end. */
  readonly about: string
  /** The error if the user refuses it. */
  readonly refusal: string
  readonly needs: readonly PermissionNeed[]
}

/**
 * Resolves if all actions are allowed, under the same rules as tool calls. An answer `always` counts as `once`. All
 * rules are checked before the user is asked. Throws UsageError if a rule denies an action, or if the user must allow
 * it and does not.
 */
export async function checkActions(actions: readonly PromptAction[], policy: ActionPolicy): Promise<void> {
  const { rules, agent } = policy
  const judged = actions.map((each) => ({ ...each, ...judgeNeeds({ rules, agent, approvals: [] }, each.needs) }))
  for (const { about, action, decisive } of judged) {
    if (action === "deny" && decisive) throw deniedNeed(about, decisive.decision, "is denied")
  }
  for (const action of judged) {
    for (const { need, decision, action: answer } of action.needs) {
      if (answer === "ask") await askForNeed(action, need, decision, policy)
    }
  }
}

async function askForNeed(
  { about, refusal }: Pick<PromptAction, "about" | "refusal">,
  { permission, patterns, unclear, metadata }: PermissionNeed,
  decision: PermissionDecision,
  { ask, signal = new AbortController().signal }: ActionPolicy,
): Promise<void> {
  if (!ask) throw deniedNeed(about, decision, "needs approval, but no user can be asked")
  const reply = await ask(
    {
      // No session is stored yet, so the ids are placeholders.
      ...{ id: "prompt", sessionID: "ses_new", rootSessionID: "ses_new", tool: { messageID: "", callID: "" } },
      ...{ permission, patterns, always: [] },
      metadata: { ...metadata, ...(unclear === undefined ? {} : { unclear }) },
    },
    signal,
  )
  if ((typeof reply === "string" ? reply : reply.reply) === "reject") throw new UsageError(refusal)
}

function deniedNeed(about: string, decision: PermissionDecision, why: string): UsageError {
  const { permission, pattern, rule, scope, file, line } = decision
  const location = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`
  const by = rule
    ? ` by the rule ${permission} "${rule.pattern}": ${rule.action}${location ? ` (${location})` : ""}`
    : ""
  return new UsageError(`${about}, and ${permission} "${pattern}" ${why}${by}.`)
}
