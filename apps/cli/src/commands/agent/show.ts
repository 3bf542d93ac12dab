import { defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type DefinitionInput, showDefinition } from "../../definitions/show-definition.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { allAgents } from "@pawl/runtime/config/agents"
import { layerOf } from "@pawl/config/layer"

function agentShow(input: DefinitionInput, host: Host): Promise<ExitCode> {
  return showDefinition(input, host, {
    word: "agent",
    names: ({ settings: { config } }) => [...allAgents(config.agent).keys()],
    find({ settings: { config, definitions, layers } }, name) {
      const agent = allAgents(config.agent).get(name)
      if (!agent) return undefined
      const { prompt, ...facts } = agent
      const definition = definitions.agents.find((each) => each.name === name)
      const file = definition?.source
      const rules = definition?.rules.map(({ permission, pattern, action }) => ({ permission, pattern, action }))
      const configured = layerOf(layers, (each) => each.agent?.[name])?.source
      const sources = [file, configured].filter((source) => source !== undefined)
      return { facts: { ...facts, rules, sources: sources.length > 0 ? sources : ["built-in"] }, text: prompt }
    },
  })
}

export const command = defineCommand({
  options: formattedDirectoryOptions,
  usage: ["agent show [options] <name>"],
  words: { min: 1, max: 1, missing: "missing agent; list them: pawl agent list" },
  examples: [["pawl agent show plan", "show the agent plan"]],
  run: agentShow,
})
