import type { Session } from "@pawl/core"
import type { Command } from "../prompt/builtin-commands.ts"
import { allCommands, type ChosenCommand, findCommand } from "../prompt/find-command.ts"
import { subtaskAgent } from "../prompt/prepare-prompt.ts"
import { slashCommand } from "../prompt/slash-command.ts"
import { allAgents, startAgent } from "../settings/agents.ts"
import type { DefinedSettings } from "../settings/definitions.ts"
import type { TaskRequest } from "./task-request.ts"

/** The name that a slash command would have; undefined where the task cannot be one. Whether there is one is not asked. */
export function commandName({ task }: Pick<TaskRequest, "task">): string | undefined {
  return task?.command?.replace(/^\//, "") ?? slashCommand(task?.typed ?? "")?.name
}

/** The slash command that a task is; undefined for a prompt like others. `commands`: those there are, if not just those of files. */
export function chosenCommand(
  { task }: TaskRequest,
  { definitions, directory }: DefinedSettings,
  commands: readonly Command[] = allCommands(definitions),
): ChosenCommand | undefined {
  const { text = "", typed = "", command: name } = task ?? {}
  if (name === undefined && !typed.trimStart().startsWith("/")) return undefined
  const found = findCommand({ typed, name }, commands, directory)
  // What comes from stdin belongs to the arguments.
  const rest = text.slice(typed.length).trim()
  return found && { ...found, arguments: [found.arguments, rest].filter((each) => each !== "").join("\n\n") }
}

/** Undefined for the session's own. Throws UsageError for one that is not the user's to choose. */
export function agentOf(
  { agent: flag, task }: TaskRequest,
  session: Session | undefined,
  chosen: ChosenCommand | undefined,
  settings: DefinedSettings,
): string | undefined {
  if (flag !== undefined) return startAgent(settings, { name: flag, by: "--agent" })
  const wanted = chosen && !isSubtask(chosen, settings) ? chosen.command.agent : undefined
  if (wanted !== undefined) return startAgent(settings, { name: wanted, by: `the agent of /${chosen?.command.name}` })
  return session || !task ? undefined : startAgent(settings)
}

/** Says which agent a session continues with, if the user did not name one and it is not the one of new sessions. */
export function agentNotice(
  session: Session | undefined,
  agent: string | undefined,
  settings: DefinedSettings,
): string[] {
  if (!session?.agent || session.parentID !== undefined || agent !== undefined) return []
  const usual = startAgent(settings)
  if (session.agent === usual) return []
  return [`The session continues with the agent ${session.agent}. To change it: --agent ${usual}`]
}

/** Whether the command's task goes to a session of its own. */
export function isSubtask(chosen: ChosenCommand, { config }: DefinedSettings): boolean {
  return subtaskAgent(chosen, { agents: allAgents(config.agent) }) !== undefined
}
