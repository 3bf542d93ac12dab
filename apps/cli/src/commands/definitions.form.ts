import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const definitionOptions = {
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  ...format,
} as const

const shared = { words: { min: 0, max: 0 }, options: definitionOptions, exitCodes: done } as const

export const agentListForm = {
  usage: ["agent list"],
  notes: [
    "Select a primary agent with --agent. Subagents are selected by other agents, or with @name in a prompt. Errors in definitions are reported on stderr.",
  ],
  ...shared,
  examples: [["pawl agent list", "list the names for --agent and @"]],
} as const satisfies CommandForm

export const commandListForm = {
  usage: ["command list"],
  notes: [
    'To run a slash command, begin the task with its name: pawl run "/review main". A file command/<name>.md defines a command.',
  ],
  ...shared,
  examples: [["pawl command list --format json", "print JSON for a script"]],
} as const satisfies CommandForm

export const skillListForm = {
  usage: ["skill list"],
  notes: ["Agents see names and descriptions, and load a skill when they need it."],
  ...shared,
  examples: [["pawl skill list", "list the skills and their sources"]],
} as const satisfies CommandForm

export const agentShowForm = {
  ...shared,
  usage: ["agent show [options] <name>"],
  words: { min: 1, max: 1, missing: "missing agent; list them: pawl agent list" },
  examples: [["pawl agent show plan", "show the agent plan"]],
} as const satisfies CommandForm

export const commandShowForm = {
  ...shared,
  usage: ["command show [options] <name>"],
  words: { min: 1, max: 1, missing: "missing command; list them: pawl command list" },
  examples: [["pawl command show review", "show the prompt of /review"]],
} as const satisfies CommandForm

export const skillShowForm = {
  ...shared,
  usage: ["skill show [options] <name>"],
  words: { min: 1, max: 1, missing: "missing skill; list them: pawl skill list" },
  examples: [["pawl skill show release", "show the instructions of a skill"]],
} as const satisfies CommandForm
