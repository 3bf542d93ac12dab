import { defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type DefinitionInput, listDefinitions, type Listed } from "../../definitions/list-definitions.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { subtaskAgent } from "@pawl/runtime/prompt/prepare-prompt"
import { allAgents } from "@pawl/runtime/config/agents"

function commandList(input: DefinitionInput, host: Host): Promise<ExitCode> {
  return listDefinitions(input, host, ({ settings: { config }, commands }) => {
    const agents = allAgents(config.agent)
    return commands.map((command): Listed => {
      const { name, description = "", agent, model, source = "built-in" } = command
      const worker = subtaskAgent({ command, arguments: "" }, { agents })
      const facts = { name, description, source, agent, model, subtask: worker !== undefined }
      const by = worker === undefined ? (agent === undefined ? [] : [agent]) : [`subtask of ${worker}`]
      return { name: `/${name}`, description, sources: [source], notes: [...by, ...(model ? [model] : [])], facts }
    })
  })
}

export const command = defineCommand({
  usage: ["command list"],
  notes: [
    'To run a slash command, begin the task with its name: pawl run "/review main". A file command/<name>.md defines a command.',
  ],
  words: { min: 0, max: 0 },
  options: formattedDirectoryOptions,
  examples: [["pawl command list --format json", "print JSON for a script"]],
  run: commandList,
})
