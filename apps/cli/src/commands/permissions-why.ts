import type { CommandInput } from "../arguments/command.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { callInput, writtenNeeds } from "@pawl/reports/permissions/call-needs"
import { explainCall } from "@pawl/reports/permissions/explain-call"
import { rulesHere } from "../permissions/rules-here.ts"
import { foreignLine } from "../render/foreign-lines.ts"
import { needLines, styledAction } from "../render/permission-lines.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import type { permissionsWhyOptions } from "./permissions.form.ts"

/** Explains whether a call would be allowed, and which rule decides. */
export async function permissionsWhy(
  { options, words }: CommandInput<typeof permissionsWhyOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const [name = "", ...rest] = words
  const input = callInput(name, rest.join(" "))
  const here = await rulesHere(options, host)
  for (const notice of here.notices) stderr.write(`${secrets.mask(foreignLine(notice))}\n`)
  const tool = here.tools.find((each) => each.name === name)
  const { rules, agent, approvals } = here
  const needed = await writtenNeeds(tool, name, input, here.place)
  const { action, needs } = explainCall({ rules, approvals, agent: agent.name }, needed)
  if (options.format === "json") {
    const result = { tool: name, isKnown: tool !== undefined, agent: here.agent.name, action, needs }
    stdout.write(`${JSON.stringify(result)}\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const paper = { columns: stdout.isTerminal ? stdout.columns : 160, theme, directory: here.place.directory }
    const known = tool ? "" : ", a tool that is not known here: judged by its name"
    const head = `${styledAction(action, theme)}: ${foreignLine(name)}, called by the agent ${foreignLine(here.agent.name)}${known}`
    const lines = [head, ...needs.flatMap((each) => ["", ...needLines(each, paper)])]
    stdout.write(`${lines.join("\n")}\n`)
  }
  return action === "allow" ? exitCodes.success : exitCodes.refused
}
