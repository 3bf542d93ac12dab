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

export const agentShowForm = {
  ...shared,
  usage: ["agent show [options] <name>"],
  words: { min: 1, max: 1, missing: "Which agent? pawl agent list shows them." },
  examples: [["pawl agent show plan", "its model, its rules and its prompt"]],
} as const satisfies CommandForm

export const commandShowForm = {
  ...shared,
  usage: ["command show [options] <name>"],
  words: { min: 1, max: 1, missing: "Which command? pawl command list shows them." },
  examples: [["pawl command show review", "what /review asks for"]],
} as const satisfies CommandForm

export const skillShowForm = {
  ...shared,
  usage: ["skill show [options] <name>"],
  words: { min: 1, max: 1, missing: "Which skill? pawl skill list shows them." },
  examples: [["pawl skill show release", "what an agent reads that loads it"]],
} as const satisfies CommandForm
