import { builtinAgents, isFor } from "@pawl/core"
import { defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type DefinitionInput, listDefinitions, type Listed } from "../../definitions/list-definitions.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { allAgents } from "@pawl/runtime/config/agents"
import { layerOf } from "@pawl/config/layer"

function agentList(input: DefinitionInput, host: Host): Promise<ExitCode> {
  return listDefinitions(input, host, ({ settings: { config, definitions, layers } }) => {
    const agents = [...allAgents(config.agent).values()].filter(({ hidden }) => !hidden)
    return agents.map((agent): Listed => {
      const { name, description = "", mode = "all", model, steps, color } = agent
      const file = definitions.agents.find((each) => each.name === name)?.source
      const configured = layerOf(layers, (each) => each.agent?.[name])?.source
      const isBuiltin = builtinAgents.some((each) => each.name === name)
      const sources = [...(isBuiltin ? ["built-in"] : []), file, configured].filter((source) => source !== undefined)
      const who = isFor(agent, "user") ? (isFor(agent, "agent") ? "all" : "primary") : "subagent"
      const written = config.agent?.[name]?.model
      const facts = { name, description, mode, sources, ...(written === undefined ? {} : { model: written }) }
      return {
        ...{ name, description, sources, ...(color === undefined ? {} : { color }) },
        notes: [who, ...(model ? [`${model.providerID}/${model.modelID}`] : [])],
        facts: { ...facts, ...(color === undefined ? {} : { color }), ...(steps === undefined ? {} : { steps }) },
      }
    })
  })
}

export const command = defineCommand({
  usage: ["agent list"],
  notes: [
    "Select a primary agent with --agent. Subagents are selected by other agents, or with @name in a prompt. Errors in definitions are reported on stderr.",
  ],
  words: { min: 0, max: 0 },
  options: formattedDirectoryOptions,
  examples: [["pawl agent list", "list the names for --agent and @"]],
  run: agentList,
})
