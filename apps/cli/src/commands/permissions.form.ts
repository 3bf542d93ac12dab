import type { CommandForm } from "../arguments/command.ts"
import { format, formattedStorageOptions } from "../command-options.ts"

const placeOptions = {
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  agent: { value: "<name>", summary: "agent that makes the call" },
  session: { short: "s", value: "<id>", summary: "apply the rules, approvals and parent agents of this session" },
} as const

export const permissionsWhyOptions = { ...placeOptions, ...formattedStorageOptions } as const

export const permissionsWhyForm = {
  usage: ["permissions why [options] <tool> [input]"],
  notes: [
    "The input is JSON, as a model would write it, or the tool's main argument: a command for bash, a path for read, edit and write, " +
      "a URL for webfetch. Nothing runs. Every simple command in a shell command is checked, and unclear parts are shown.",
    "→ marks the deciding rule. Across sources, a deny takes precedence, then the last matching source. Within one file or plugin, " +
      "an agent's rules take precedence over general ones. In an allow rule, ls* matches the word ls, not lsof. Unclear calls ask.",
  ],
  words: { min: 1, max: Infinity, missing: "missing tool: pawl permissions why bash 'git push'" },
  options: permissionsWhyOptions,
  exitCodes: {
    0: "the call would be allowed",
    1: "failed; the reason is on stderr",
    3: "the call would need approval, or be denied",
  },
  examples: [
    ["pawl permissions why bash 'git push && rm -rf build'", "show the decision and the rules"],
    ["pawl permissions why edit .git/config --agent plan", "check a call of another agent"],
    ["pawl permissions why webfetch https://example.com --format json", "print JSON for a script"],
  ],
} as const satisfies CommandForm

export const permissionsListOptions = { ...placeOptions, ...formattedStorageOptions } as const

export const permissionsListForm = {
  usage: ["permissions list [options]"],
  notes: ["Rules are listed by scope, in order of evaluation. Within a scope, the last matching rule applies."],
  words: { min: 0, max: 0 },
  options: permissionsListOptions,
  exitCodes: { 0: "success", 1: "failed; the reason is on stderr" },
  examples: [["pawl permissions list --agent plan", "list the rules of the agent plan"]],
} as const satisfies CommandForm

export const permissionsReplayOptions = {
  rules: { value: "<file>", summary: "pawl.jsonc with the key permission, or only its value" },
  session: { short: "s", value: "<id>", summary: "test calls of this session and its child sessions" },
  dir: { value: "<directory>", summary: "test calls of the sessions of this directory" },
  since: { value: "<time>", summary: "test calls of a period, such as 90m, 12h or 7d" },
  ...formattedStorageOptions,
  ...format,
} as const

export const permissionsReplayForm = {
  usage: ["permissions replay [options] --rules <file>"],
  notes: [
    "Checks the calls of stored sessions against other rules, newest first, and lists calls with a different decision. No tool " +
      "runs, and nothing is stored. Tools that are not built in are checked by name only.",
  ],
  words: { min: 0, max: 0 },
  options: permissionsReplayOptions,
  exitCodes: { 0: "success, even if decisions differ", 1: "failed; the reason is on stderr" },
  examples: [["pawl permissions replay --rules strict.jsonc --since 7d", "test rules before you use them"]],
} as const satisfies CommandForm
