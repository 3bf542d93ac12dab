import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const definitionOptions = {
  dir: { value: "<directory>", summary: "for that directory instead of this one" },
  ...format,
} as const

const shared = { words: { min: 0, max: 0 }, options: definitionOptions, exitCodes: done } as const

export const agentListForm = {
  usage: ["agent list"],
  notes: [
    "Primary agents are chosen with --agent, subagents by other agents or as @name in a prompt. What is wrong with a definition stands on stderr.",
  ],
  ...shared,
  examples: [["pawl agent list", "what --agent and @ can name"]],
} as const satisfies CommandForm

export const commandListForm = {
  usage: ["command list"],
  notes: [
    'A task that begins with /name is that command: pawl run "/review main". A file command/<name>.md defines one.',
  ],
  ...shared,
  examples: [["pawl command list --format json", "for scripts"]],
} as const satisfies CommandForm

export const skillListForm = {
  usage: ["skill list"],
  notes: ["Agents see names and descriptions, and load a skill when the work calls for it."],
  ...shared,
  examples: [["pawl skill list", "what there is, and from where"]],
} as const satisfies CommandForm
