import { buildAgent, type EngineOptions, type PromptPart, type Session } from "@pawl/core"
import { permissionRules } from "@pawl/core/permission"
import type { Tool } from "@pawl/core/tool"
import type { Sandbox } from "@pawl/tools"
import type { RuntimeHost } from "../host.ts"
import type { ChosenCommand } from "./find-command.ts"
import type { MentionContext } from "./mentioned-parts.ts"
import { preparePrompt } from "./prepare-prompt.ts"
import { plainLine } from "@pawl/plain-text"
import { allAgents } from "../config/agents.ts"
import type { GuardedRunning } from "../config/engine-options.ts"
import type { DefinedSettings } from "../config/definitions.ts"
import type { TypedPrompt } from "../runtime-options.ts"
import type { Interaction } from "../interaction.ts"

export interface PromptContext {
  readonly prompt: TypedPrompt | undefined
  readonly session: Session | undefined
  /** Parent sessions, nearest first. */
  readonly above: readonly Session[]
  readonly agent: string | undefined
  readonly command: ChosenCommand | undefined
  readonly settings: DefinedSettings
  readonly options: Pick<EngineOptions, "agents" | "permission" | "tools" | "environment">
  readonly sandbox: Sandbox | undefined
  readonly running: GuardedRunning
  readonly resources?: MentionContext["resources"]
}

/** Returns the parts of the first prompt, under the rules of the agent that receives it. */
export async function promptParts(
  { prompt, session, above, agent, command, settings, options, sandbox, running, resources }: PromptContext,
  { directory: here }: RuntimeHost,
  { ask, signal, notice }: Interaction,
): Promise<PromptPart[]> {
  if (!prompt) return []
  const { directory, worktree, config, trust } = settings
  const agents = new Map([
    ...allAgents(config.agent),
    ...(options.agents ?? []).map((each) => [each.name, each] as const),
  ])
  const name = agent ?? session?.agent ?? buildAgent.name
  const rules = permissionRules(
    { agents, permission: options.permission ?? [] },
    agents.get(name) ?? { name },
    session ?? {},
    above,
  )
  const bash = options.tools?.find((tool) => tool.name === "bash") as Tool
  return preparePrompt(
    prompt,
    command,
    {
      ...{ agents, rules, agent: name, bash, ask, directory, worktree, sandbox, signal, isTrusted: trust.isTrusted },
      ...{ ...running, environment: options.environment ?? {} },
      ...(resources ? { resources } : {}),
      notice: (text) => notice(plainLine(text)),
    },
    here,
  )
}
