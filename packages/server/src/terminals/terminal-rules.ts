import { ForbiddenError } from "../request-error.ts"
import type { ServerHost } from "../host.ts"
import { judgeCommand, type JudgedCommand } from "../judge-command.ts"

export interface TerminalCommand extends Omit<JudgedCommand, "also"> {
  /** Set for a shell into which anything can be typed. */
  readonly isShell: boolean
}

const ANYTHING = { permission: "bash", patterns: ["*"], unclear: "Anything can be typed into a shell." }

/**
 * Throws ForbiddenError unless the rules of bash allow the command without asking. A terminal has no session in which a
 * user could be asked. A shell needs a rule that allows all of bash, which the defaults and projects cannot give.
 */
export async function requireAllowedTerminal(host: ServerHost, command: TerminalCommand): Promise<void> {
  const { isShell, words } = command
  const judged = await judgeCommand(host, { ...command, also: isShell ? [ANYTHING] : [] })
  if (judged.action === "allow" || !judged.decisive) return
  const { decision } = judged.decisive
  const { permission, rule, scope } = decision
  const title = isShell ? "A terminal with a shell" : `A terminal with "${words.join(" ").slice(0, 200)}"`
  const source = scope === undefined ? "" : ` of the ${scope}`
  const named = rule && `"${rule.permission}": { ${JSON.stringify(rule.pattern)}: "${rule.action}" }${source}`
  const reason =
    decision.unclear === undefined
      ? `${named ? `the rule ${named}` : `no rule allows "${permission}", which`} ${judged.action === "deny" ? "denies" : "asks about"} it`
      : `${decision.unclear} The rule ${named} does not allow that`
  throw new ForbiddenError(
    `${title} is not opened: ${reason}. Set "permission": { "${permission}": "allow" } in your own configuration, not in that of the project.`,
  )
}
