import type { CommandForm } from "../arguments/command.ts"

export const trustOptions = {
  yes: { short: "y", summary: "do not ask" },
  list: { summary: "list what is trusted" },
  remove: { summary: "trust it no longer" },
} as const

export const trustForm = {
  usage: ["trust [options] [directory]"],
  notes: [
    "Plugins, tools, MCP servers, formatters, checks, provider addresses, {env:…} and {file:…} references, and shell in commands " +
      "that come with a project are left out until they are trusted. This shows what they would do, and asks.",
    "Trust holds for this directory and this content: a changed byte asks again. Agents, commands and skills of a project are " +
      "texts, and are read like AGENTS.md. What installed packages do is not looked into, nor what code fetches by itself.",
  ],
  words: { min: 0, max: 1 },
  options: trustOptions,
  exitCodes: { 0: "it is trusted, or there is nothing to trust", 1: "it failed, or you said no" },
  examples: [
    ["pawl trust", "look, and decide"],
    ["pawl trust --yes ci/checkout", "in a script"],
    ['pawl run --trust=1f0c9a27 "run the checks"', "for one run, if the hash still begins so"],
    ["pawl trust --remove", "leave it out again"],
  ],
} as const satisfies CommandForm
