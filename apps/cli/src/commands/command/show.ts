import { defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type DefinitionInput, showDefinition } from "../../definitions/show-definition.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"

function commandShow(input: DefinitionInput, host: Host): Promise<ExitCode> {
  return showDefinition(input, host, {
    word: "command",
    names: ({ commands }) => commands.map(({ name }) => name),
    find({ commands }, name) {
      const command = commands.find((each) => each.name === name.replace(/^\//, ""))
      if (!command) return undefined
      const { template, source = "built-in", ...facts } = command
      return { facts: { ...facts, source }, text: template }
    },
  })
}

export const command = defineCommand({
  options: formattedDirectoryOptions,
  usage: ["command show [options] <name>"],
  words: { min: 1, max: 1, missing: "missing command; list them: pawl command list" },
  examples: [["pawl command show review", "show the prompt of /review"]],
  run: commandShow,
})
