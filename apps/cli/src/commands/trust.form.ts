import type { CommandForm } from "../arguments/command.ts"

export const trustOptions = {
  yes: { short: "y", summary: "do not ask" },
  list: { summary: "list trusted projects" },
  remove: { summary: "stop trusting the project" },
} as const

export const trustForm = {
  usage: ["trust [options] [directory]"],
  notes: [
    "Until you trust a project, pawl ignores its plugins, tools, MCP servers, formatters, checks, provider addresses, {env:…} and " +
      "{file:…} references, and shell in commands. This command shows what they would do, and asks.",
    "Trust applies to this directory and its current content; after a change, pawl asks again. Agents, commands and skills of a " +
      "project are texts, and are read like AGENTS.md. Installed packages, and what code downloads, are not inspected.",
  ],
  words: { min: 0, max: 1 },
  options: trustOptions,
  exitCodes: { 0: "trusted, or nothing needs trust", 1: "failed, or you declined" },
  examples: [
    ["pawl trust", "review the project, then decide"],
    ["pawl trust --yes ci/checkout", "trust a project without asking, in a script"],
    ['pawl run --trust=1f0c9a27 "run the checks"', "trust for one run, if the hash matches"],
    ["pawl trust --remove", "stop trusting this project"],
  ],
} as const satisfies CommandForm
