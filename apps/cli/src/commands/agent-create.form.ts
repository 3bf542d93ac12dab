import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const agentCreateOptions = {
  description: { value: "<text>", summary: "purpose of the agent; other agents read it" },
  mode: {
    value: "<mode>",
    choices: ["primary", "subagent", "all"],
    summary: "who can select it: you (primary), other agents (subagent), or both",
  },
  model: { short: "m", value: "<provider/model>", summary: "its model (default: the model of the session)" },
  prompt: { value: "<text>", summary: "its system prompt" },
  allow: { value: "<tool>", multiple: true, summary: "tool it may use without asking" },
  ask: { value: "<tool>", multiple: true, summary: "tool it must ask for" },
  deny: { value: "<tool>", multiple: true, summary: "tool it may not use" },
  global: { summary: "create it for your user, not for this project" },
  dir: { value: "<directory>", summary: "project directory (default: this one)" },
  ...format,
} as const

export const agentCreateForm = {
  usage: ["agent create [options] <name>"],
  notes: ["Writes agent/<name>.md to the project's .pawl directory. You can edit the file."],
  words: { min: 1, max: 1, missing: "missing name: pawl agent create <name>" },
  options: agentCreateOptions,
  exitCodes: done,
  examples: [
    ['pawl agent create reviewer --description "Finds mistakes in changes." --mode subagent', "create @reviewer"],
    ["pawl agent create careful --ask bash --deny webfetch --global", "use it with pawl run --agent careful"],
  ],
} as const satisfies CommandForm
