import type { PermissionScope } from "@pawl/core/permission"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { rulesHere, rulesOptions } from "../../permissions/rules-here.ts"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { scopeLines } from "@pawl/terminal-text/permission-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"

/** Prints every permission rule of an agent, by scope. */
async function permissionsList({ options }: CommandInput<typeof rulesOptions>, host: Host): Promise<ExitCode> {
  const { stdout, environment } = host
  const here = await rulesHere(options, host)
  const { scopes, ceilings = [] } = here.rules
  const levels = [
    { ceiling: undefined, scopes },
    ...ceilings.map(({ agent, scopes: own }) => ({ ceiling: agent, scopes: own })),
  ]
  if (options.format === "json") {
    for (const level of levels)
      for (const line of level.scopes.flatMap((scope) => jsonRules(scope, level.ceiling))) stdout.write(line)
    for (const approval of here.approvals) stdout.write(`${JSON.stringify({ approval })}\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const layout = { columns: stdout.isTerminal ? stdout.columns : 160, theme, directory: here.location.directory }
  const shown = levels.flatMap(({ ceiling, scopes: own }) => [
    theme.accent(
      ceiling === undefined
        ? `for the agent ${foreignLine(here.agent.name)}`
        : `and of the agent ${foreignLine(ceiling)} above`,
    ),
    ...own.filter(({ rules }) => rules.length > 0).flatMap((scope) => scopeLines(scope, layout)),
  ])
  const approved = here.approvals.map(({ agent, permission, pattern, directory }) => {
    const inDirectory = directory === undefined ? "" : ` · in ${foreignLine(directory)}`
    const what = `${foreignLine(permission)} ${JSON.stringify(foreignLine(pattern))}`
    return `  allow  ${what}${theme.faint(`${inDirectory} · agent ${foreignLine(agent)}`)}`
  })
  const lines = [
    ...shown,
    ...(approved.length > 0 ? [theme.strong("allowed for good in this session"), ...approved] : []),
  ]
  stdout.write(`${lines.join("\n")}\n`)
  return exitCodes.success
}

function jsonRules({ name, file, onlyTightens, agent, rules }: PermissionScope, ceiling: string | undefined): string[] {
  return rules.map((rule) => `${JSON.stringify({ scope: name, file, agent, ceiling, onlyTightens, ...rule })}\n`)
}

export const command = defineCommand({
  usage: ["permissions list [options]"],
  notes: ["Rules are listed by scope, in order of evaluation. Within a scope, the last matching rule applies."],
  words: { min: 0, max: 0 },
  options: rulesOptions,
  examples: [["pawl permissions list --agent plan", "list the rules of the agent plan"]],
  run: permissionsList,
})
