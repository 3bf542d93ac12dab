import { defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type DefinitionInput, listDefinitions, type Listed } from "../../definitions/list-definitions.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"

function skillList(input: DefinitionInput, host: Host): Promise<ExitCode> {
  return listDefinitions(input, host, ({ settings: { definitions } }) => {
    return definitions.skills.map(({ name, description, source }): Listed => {
      return { name, description, sources: [source], notes: [], facts: { name, description, source } }
    })
  })
}

export const command = defineCommand({
  usage: ["skill list"],
  notes: ["Agents see names and descriptions, and load a skill when they need it."],
  words: { min: 0, max: 0 },
  options: formattedDirectoryOptions,
  examples: [["pawl skill list", "list the skills and their sources"]],
  run: skillList,
})
