import type { AskPermission } from "@pawl/core"
import { judgeNeeds, type PermissionDecision, type PermissionNeed, type PermissionRules } from "@pawl/core/permission"
import { UsageError } from "@pawl/config/usage-error"

export interface ActionPolicy {
  /** Permission rules of the agent that the prompt is for. */
  readonly rules: PermissionRules
  readonly agent: string
  /** Absent if the user cannot be asked. */
  readonly ask?: AskPermission | undefined
  /** Ends a question. */
  readonly signal?: AbortSignal | undefined
}

/** An action of a prompt before a model reads it. */
export interface PromptAction {
  /** The begin of the error if it may not be done: a sentence without its end. */
  readonly about: string
  /** The error if the user refuses it. */
  readonly refusal: string
  readonly needs: readonly PermissionNeed[]
}

/**
 * Resolves if all of it may be done, as the same calls of tools might, for an answer `always` once. Every rule has its say
 * on every action before the user is asked about one. Throws UsageError if a rule denies one, and if one would have to be
 * asked and the user does not allow it.
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
      // Nothing is stored yet that the question could be a part of.
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
  const place = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`
  const by = rule ? ` by the rule ${permission} "${rule.pattern}": ${rule.action}${place ? ` (${place})` : ""}` : ""
  return new UsageError(`${about}, and ${permission} "${pattern}" ${why}${by}.`)
}
