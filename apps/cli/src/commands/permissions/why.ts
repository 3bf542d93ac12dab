import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { callInput, writtenNeeds } from "@pawl/reports/permissions/call-needs"
import { explainCall } from "@pawl/reports/permissions/explain-call"
import { rulesHere, rulesOptions } from "../../permissions/rules-here.ts"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { needLines, styledAction } from "@pawl/terminal-text/permission-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"

/** Explains whether a call would be allowed, and which rule decides. */
async function permissionsWhy({ options, words }: CommandInput<typeof rulesOptions>, host: Host): Promise<ExitCode> {
  const { stdout, environment } = host
  const [name = "", ...rest] = words
  const input = callInput(name, rest.join(" "))
  const here = await rulesHere(options, host)
  const tool = here.tools.find((each) => each.name === name)
  const { rules, agent, approvals } = here
  const needed = await writtenNeeds(tool, name, input, here.location)
  const { action, needs } = explainCall({ rules, approvals, agent: agent.name }, needed)
  if (options.format === "json") {
    const result = { tool: name, isKnown: tool !== undefined, agent: here.agent.name, action, needs }
    stdout.write(`${JSON.stringify(result)}\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const layout = { columns: stdout.isTerminal ? stdout.columns : 160, theme, directory: here.location.directory }
    const known = tool ? "" : ", a tool that is not known here: judged by its name"
    const head = `${styledAction(action, theme)}: ${foreignLine(name)}, called by the agent ${foreignLine(here.agent.name)}${known}`
    const lines = [head, ...needs.flatMap((each) => ["", ...needLines(each, layout)])]
    stdout.write(`${lines.join("\n")}\n`)
  }
  return action === "allow" ? exitCodes.success : exitCodes.refused
}

export const command = defineCommand({
  usage: ["permissions why [options] <tool> [input]"],
  notes: [
    "The input is JSON, as a model would write it, or the tool's main argument: a command for bash, a path for read, edit and write, " +
      "a URL for webfetch. Nothing runs. Every simple command in a shell command is checked, and unclear parts are shown.",
    "→ marks the deciding rule. Across sources, a deny takes precedence, then the last matching source. Within one file or plugin, " +
      "an agent's rules take precedence over general ones. In an allow rule, ls* matches the word ls, not lsof. Unclear calls ask.",
  ],
  words: { min: 1, max: Infinity, missing: "missing tool: pawl permissions why bash 'git push'" },
  options: rulesOptions,
  exitCodes: {
    0: "the call would be allowed",
    3: "the call would need approval, or be denied",
  },
  examples: [
    ["pawl permissions why bash 'git push && rm -rf build'", "show the decision and the rules"],
    ["pawl permissions why edit .git/config --agent plan", "check a call of another agent"],
    ["pawl permissions why webfetch https://example.com --format json", "print JSON for a script"],
  ],
  run: permissionsWhy,
})
