import { COLOR } from "./colors.ts"
import { z } from "zod"
import { count, flag, form, list, modelRef, number, object, oneOf, ordered, table, text } from "./schema-values.ts"

const action = oneOf(["allow", "ask", "deny"])

export const permission = z
  .union(
    [
      action,
      ordered(z.union([action, ordered(action)], { error: `must be "allow", "ask", "deny" or an object of patterns` })),
    ],
    {
      error: 'must be "allow", "ask", "deny" or an object of permissions',
    },
  )
  .describe(
    "Permissions of tools: one action for all, or an action or patterns per permission. The last matching rule applies.",
  )

const delegation = object({
  permission: text.describe("The permission, as in rules."),
  pattern: text.describe("The commands or paths it applies to. Default: all.").exactOptional(),
})

const delegates = z
  .union(
    [list(delegation), table(z.union([text, list(text)], { error: "must be a pattern or an array of patterns" }))],
    {
      error: "must be an array of { permission, pattern } or an object of patterns by permission",
    },
  )
  .describe("Permissions of its subagents that its own rules deny.")

export const deprecatedTools = ordered(flag)
  .describe("Which tools there are. Write `permission` instead.")
  .meta({ deprecated: true })

export const agent = object({
  description: text.describe("When to choose this agent.").exactOptional(),
  mode: oneOf(["primary", "subagent", "all"])
    .describe("Selectable by the user, by other agents, or both. Default: all.")
    .exactOptional(),
  model: modelRef.describe("provider/model").exactOptional(),
  variant: text
    .describe(
      "The variant of the model, such as a reasoning effort: see `pawl models`. The nearest one where the model lacks it.",
    )
    .exactOptional(),
  fallback: list(modelRef)
    .describe("Models that take the place of one that cannot answer, before those of the key `fallback`.")
    .exactOptional(),
  prompt: text.describe("The system prompt.").exactOptional(),
  steps: count.describe("The most steps in one turn.").exactOptional(),
  temperature: number("a number, 0 or more", 0).exactOptional(),
  top_p: number("a number from 0 to 1", 0, 1).exactOptional(),
  permission: permission.exactOptional(),
  hidden: flag.describe("Hides the agent from lists, so that users cannot choose it.").exactOptional(),
  disable: flag.describe("Removes the agent, even a built-in one.").exactOptional(),
  delegates: delegates.exactOptional(),
  worktree: flag
    .describe("Each of its sessions as a subagent works in a git worktree of its own, and its result names the branch.")
    .exactOptional(),
  color: form(COLOR, 'a color\'s name or "#rrggbb"')
    .describe("In which its name is shown: a common name, such as red or accent, or #rrggbb.")
    .exactOptional(),
  tools: deprecatedTools.exactOptional(),
  maxSteps: count.describe("Write `steps` instead.").meta({ deprecated: true }).exactOptional(),
})
