import type { AgentConfig } from "@pawl/config"
import { type Agent, builtinAgents } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"
import { toModelRef } from "../model/model-ref.ts"
import { layerOf } from "./layer.ts"
import type { Settings } from "./settings.ts"

/** Writes summaries, and is nobody's to talk to. */
export const SUMMARIZER = "compaction"

/**
 * The configured agents. What the configuration lets them do is the scopes' business; what a built-in agent may do and
 * is told stays, as far as the configuration says nothing else.
 */
export function configuredAgents(configured: Readonly<Record<string, AgentConfig>> = {}): Agent[] {
  return Object.entries(configured).map(([name, agent]): Agent => {
    const model = agent.model === undefined ? undefined : toModelRef(agent.model)
    return {
      ...(builtinAgents.find((builtin) => builtin.name === name) ?? { name }),
      ...(agent.description === undefined ? {} : { description: agent.description }),
      ...(agent.prompt === undefined ? {} : { prompt: agent.prompt }),
      ...(model ? { model } : {}),
      ...(agent.steps === undefined ? {} : { steps: agent.steps }),
      ...(agent.temperature === undefined ? {} : { temperature: agent.temperature }),
      ...(agent.top_p === undefined ? {} : { topP: agent.top_p }),
    }
  })
}

/** Throws UsageError for an agent that nobody has, before anything is stored. `flag`: the value of `--agent`. */
export function checkAgent({ config, layers }: Pick<Settings, "config" | "layers">, flag?: string): void {
  const { agent = {}, default_agent: configured } = config
  const name = flag ?? configured
  const names = [...builtinAgents.map((builtin) => builtin.name), ...Object.keys(agent)]
  const known = [...new Set(names)].filter((each) => each !== SUMMARIZER)
  if (name === undefined || known.includes(name)) return
  const source = layerOf(layers, (layer) => layer.default_agent)?.source
  const where = flag === undefined ? `${source}: "default_agent" is "${name}"` : `--agent is "${name}"`
  throw new UsageError(`${where}, and there is no such agent. Known: ${known.join(", ")}.`)
}
