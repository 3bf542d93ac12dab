import type { Session } from "@pawl/core"
import type { Command } from "./builtin-commands.ts"
import { allCommands, type ChosenCommand, findCommand } from "./find-command.ts"
import { subtaskAgent } from "./prepare-prompt.ts"
import { slashCommand } from "./slash-command.ts"
import { allAgents, startAgent } from "../config/agents.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import type { RuntimeOptions, TypedPrompt } from "../runtime-options.ts"

/** Returns the name of the slash command that the prompt begins with, known or not. Undefined if the prompt is not a command. */
export function commandName(prompt: TypedPrompt | undefined): string | undefined {
  return prompt?.command?.replace(/^\//, "") ?? slashCommand(prompt?.typed ?? "")?.name
}

/** Returns the slash command of a prompt. Undefined for a plain prompt. `commands` default: the commands of files. */
export function chosenCommand(
  prompt: TypedPrompt | undefined,
  { definitions, directory }: DefinedSettings,
  commands: readonly Command[] = allCommands(definitions),
): ChosenCommand | undefined {
  const { text = "", typed = "", command: name } = prompt ?? {}
  if (name === undefined && !typed.trimStart().startsWith("/")) return undefined
  const found = findCommand({ typed, name }, commands, directory)
  // Text from stdin belongs to the arguments.
  const rest = text.slice(typed.length).trim()
  return found && { ...found, arguments: [found.arguments, rest].filter((each) => each !== "").join("\n\n") }
}

/** Returns the agent that the user selected. Undefined for the session's own. Throws UsageError if users cannot select it. */
export function agentOf(
  { agent: flag, prompt }: Pick<RuntimeOptions, "agent" | "prompt">,
  session: Session | undefined,
  chosen: ChosenCommand | undefined,
  settings: DefinedSettings,
): string | undefined {
  if (flag !== undefined) return startAgent(settings, { name: flag, by: "--agent" })
  const wanted = chosen && !isSubtask(chosen, settings) ? chosen.command.agent : undefined
  if (wanted !== undefined) return startAgent(settings, { name: wanted, by: `the agent of /${chosen?.command.name}` })
  return session || !prompt ? undefined : startAgent(settings)
}

/** Returns a notice if the session continues with another agent than a new session would have, and the user named no agent. */
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

/** Returns true if the command runs in a child session. */
export function isSubtask(chosen: ChosenCommand, { config }: DefinedSettings): boolean {
  return subtaskAgent(chosen, { agents: allAgents(config.agent) }) !== undefined
}
