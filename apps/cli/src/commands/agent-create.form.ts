import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const agentCreateOptions = {
  description: { value: "<text>", summary: "what it is for: other agents read this" },
  mode: {
    value: "<mode>",
    choices: ["primary", "subagent", "all"],
    summary: "who chooses it: you, other agents, or both",
  },
  model: { short: "m", value: "<provider/model>", summary: "its model, where it is not that of the work" },
  prompt: { value: "<text>", summary: "what it is told to be" },
  allow: { value: "<tool>", multiple: true, summary: "a tool that it may use without a question" },
  ask: { value: "<tool>", multiple: true, summary: "one that it asks for" },
  deny: { value: "<tool>", multiple: true, summary: "one that it may not use" },
  global: { summary: "for all you do, instead of for this project" },
  dir: { value: "<directory>", summary: "for the project there instead of here" },
  ...format,
} as const

export const agentCreateForm = {
  usage: ["agent create [options] <name>"],
  notes: ["Writes agent/<name>.md into .pawl of the project, to be read and changed like any other file."],
  words: { min: 1, max: 1, missing: "What is it to be called? pawl agent create <name>" },
  options: agentCreateOptions,
  exitCodes: done,
  examples: [
    ['pawl agent create reviewer --description "Finds mistakes in changes." --mode subagent', "for @reviewer"],
    ["pawl agent create careful --ask bash --deny webfetch --global", "for pawl run --agent careful, everywhere"],
  ],
} as const satisfies CommandForm
