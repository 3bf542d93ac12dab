import type { CommandForm } from "../arguments/command.ts"
import { format, formattedStorageOptions } from "../command-options.ts"

const placeOptions = {
  dir: { value: "<directory>", summary: "there instead of here" },
  agent: { value: "<name>", summary: "for this agent, of any kind" },
  session: { short: "s", value: "<id>", summary: "as in this session: its rules, its approvals, the agents above" },
} as const

export const permissionsWhyOptions = { ...placeOptions, ...formattedStorageOptions } as const

export const permissionsWhyForm = {
  usage: ["permissions why [options] <tool> [input]"],
  notes: [
    "The input is JSON as a model would give it, or the tool's main argument: a command for bash, a path for read, edit and write, " +
      "an address for webfetch. Nothing is run. Of a command every simple command in it is judged, and what cannot be told is shown.",
    "→ marks the rule that decides. Among sources a deny wins over everything, else the last one that speaks; within one file or " +
      "plugin the rules for the agent go before those for all. What an allow of ls* matches ends with the word. What is unclear is asked.",
  ],
  words: { min: 1, max: Infinity, missing: "Which tool? pawl permissions why bash 'git push'" },
  options: permissionsWhyOptions,
  exitCodes: {
    0: "it would be allowed",
    1: "it failed; the reason is on stderr",
    3: "it would be asked, or is denied",
  },
  examples: [
    ["pawl permissions why bash 'git push && rm -rf build'", "may it, and which rule says so"],
    ["pawl permissions why edit .git/config --agent plan", "for another agent"],
    ["pawl permissions why webfetch https://example.com --format json", "for a script"],
  ],
} as const satisfies CommandForm

export const permissionsListOptions = { ...placeOptions, ...formattedStorageOptions } as const

export const permissionsListForm = {
  usage: ["permissions list [options]"],
  notes: ["Scope by scope, in the order in which they speak; within a scope the last rule that matches speaks."],
  words: { min: 0, max: 0 },
  options: permissionsListOptions,
  exitCodes: { 0: "it was done", 1: "it failed; the reason is on stderr" },
  examples: [["pawl permissions list --agent plan", "what binds the agent plan here"]],
} as const satisfies CommandForm

export const permissionsReplayOptions = {
  rules: { value: "<file>", summary: "a pawl.jsonc with permission, or its value alone" },
  session: { short: "s", value: "<id>", summary: "the calls of this session and all below it" },
  dir: { value: "<directory>", summary: "the calls of the sessions of that directory" },
  since: { value: "<time>", summary: "only the calls of the last 90m, 12h or 7d" },
  ...formattedStorageOptions,
  ...format,
} as const

export const permissionsReplayForm = {
  usage: ["permissions replay [options] --rules <file>"],
  notes: [
    "Judges the calls of stored sessions by other rules, newest first, and lists those that would have gone otherwise. No tool runs, " +
      "nothing is stored. Tools that are not built in are judged by their name.",
  ],
  words: { min: 0, max: 0 },
  options: permissionsReplayOptions,
  exitCodes: { 0: "it was done, whatever would have changed", 1: "it failed; the reason is on stderr" },
  examples: [["pawl permissions replay --rules strict.jsonc --since 7d", "try rules before they are yours"]],
} as const satisfies CommandForm
