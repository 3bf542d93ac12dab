import type { Session } from "@pawl/core"
import type { DefinedSettings } from "../config/definitions.ts"
import { agentOf, chosenCommand, commandName } from "../prompt/agent-choice.ts"
import { isCompaction } from "../prompt/compaction-command.ts"
import type { ChosenCommand } from "../prompt/find-command.ts"
import type { RunningPlugins } from "./start-plugins.ts"
import type { StepContext } from "./step-context.ts"

export interface CommandChoice {
  /** Undefined for a plain prompt. */
  readonly command: ChosenCommand | undefined
  /** Undefined for the session's own. */
  readonly agent: string | undefined
  /** Set if the model also writes summaries, against the configuration. */
  readonly isSummarizer: boolean
}

/** Step 4: finds the slash command of the prompt, also of plugins and MCP servers, and the agent. */
export async function chooseCommand(
  settings: DefinedSettings,
  session: Session | undefined,
  plugins: RunningPlugins | undefined,
  { options, interaction }: StepContext,
): Promise<CommandChoice> {
  const { prompt, model = {}, isSummarizer = false, checkCompaction } = options
  const name = commandName(prompt)
  const ofServer =
    plugins && name !== undefined
      ? await plugins.host.connectServerOf(plugins.engine, name, interaction.signal)
      : undefined
  const command = chosenCommand(prompt, settings, ofServer ?? plugins?.started.commands)
  if (isCompaction(command)) checkCompaction?.()
  const agent = agentOf(options, session, command, settings)
  const isRequested = model.model !== undefined || model.script !== undefined
  return { command, agent, isSummarizer: isCompaction(command) ? isRequested : isSummarizer }
}
